/** Which calls are admitted under overload (OP-83). */
import { expect, it } from 'vitest';
import { Slots } from '../../sandbox/http/concurrency-limit.ts';

/** Takes all slots that a tenant can get, and returns their number. */
function fill(slots: Slots, tenant: string): number {
  let count = 0;
  for (; slots.isFree(tenant); count += 1) slots.take(tenant);
  return count;
}

it('OP-83: a single tenant gets half of the slots, and each further tenant half of the free ones', () => {
  const slots = new Slots(12);
  expect(['a', 'b', 'c'].map((tenant) => fill(slots, tenant))).toEqual([6, 3, 2]);
  slots.release('a');
  expect(slots.isFree('a')).toBe(false);
  expect(slots.isFree('d')).toBe(true);
});

it('OP-83: a released slot can be used again', () => {
  const slots = new Slots(12);
  fill(slots, 'a');
  for (let released = 0; released < 6; released += 1) slots.release('a');
  expect(slots.inService).toBe(0);
  expect(fill(slots, 'a')).toBe(6);
});

it('OP-83: with a limit of no slots, none is free', () => {
  expect(fill(new Slots(0), 'a')).toBe(0);
});
