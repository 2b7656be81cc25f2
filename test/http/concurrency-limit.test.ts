/** Which calls are admitted while more come than can be served (OP-83). */
import { expect, it } from 'vitest';
import { Slots } from '../../sandbox/http/concurrency-limit.ts';

/** Takes slots for a tenant until it gets none; how many it got. */
function fill(slots: Slots, tenant: string): number {
  let got = 0;
  for (; slots.isFree(tenant); got += 1) slots.take(tenant);
  return got;
}

it('OP-83: one alone has half of the slots, and each that comes next finds half of what is free', () => {
  const slots = new Slots(12);
  expect(['a', 'b', 'c'].map((tenant) => fill(slots, tenant))).toEqual([6, 3, 2]);
  slots.release('a');
  expect(slots.isFree('a')).toBe(false);
  expect(slots.isFree('d')).toBe(true);
});

it('OP-83: a slot that was released can be taken again', () => {
  const slots = new Slots(12);
  fill(slots, 'a');
  for (let released = 0; released < 6; released += 1) slots.release('a');
  expect(slots.inService).toBe(0);
  expect(fill(slots, 'a')).toBe(6);
});

it('OP-83: where there are no slots none is free', () => {
  expect(fill(new Slots(0), 'a')).toBe(0);
});
