/** Which calls are taken while more come than can be served (OP-83). */
import { expect, it } from 'vitest';
import { Lag } from '../../sandbox/runtime/lag.ts';
import { Admission } from '../../sandbox/server/admission.ts';

const capacity = { places: 12, arriving: 5, lag: 150, refusals: 100, always: 2 };

/** Takes places for a share until it gets none; how many it got. */
function fill(admission: Admission, share: string): number {
  let got = 0;
  for (; admission.isFree(share); got += 1) admission.take(share);
  return got;
}

it('OP-83: one alone has half of the places, and each that comes next finds half of what is free', () => {
  const admission = new Admission(capacity, () => 0);
  expect(['a', 'b', 'c'].map((share) => fill(admission, share))).toEqual([6, 3, 2]);
  admission.give('a');
  expect(admission.isFree('a')).toBe(false);
  expect(admission.isFree('d')).toBe(true);
});

it('OP-83: a place that was given back can be taken again', () => {
  const admission = new Admission(capacity, () => 0);
  fill(admission, 'a');
  for (let given = 0; given < 6; given += 1) admission.give('a');
  expect(admission.inService).toBe(0);
  expect(fill(admission, 'a')).toBe(6);
});

it('OP-83: while the loop is late only a few are taken', () => {
  let lag = 151;
  const admission = new Admission(capacity, () => lag);
  expect(fill(admission, 'a')).toBe(2);
  lag = 150;
  expect(fill(admission, 'a')).toBe(4);
});

it('OP-83: the lag is the latest of the last fifth of a second, and nothing is measured while nothing is in service', () => {
  let now = 0;
  const set: { run: () => void; at: number }[] = [];
  const lag = new Lag(
    (run, milliseconds) => {
      set.push({ run, at: now + milliseconds });
      return () => {};
    },
    () => now,
  );
  const fire = (late: number) => {
    const next = set.shift();
    if (next === undefined) throw new Error('no timer is set');
    now = next.at + late;
    next.run();
  };
  let isNeeded = true;
  lag.watch(() => isNeeded);
  lag.watch(() => isNeeded);
  expect(set).toHaveLength(1);
  fire(90);
  expect(lag.milliseconds).toBe(90);
  fire(10);
  expect(lag.milliseconds).toBe(90);
  now += 195;
  expect(lag.milliseconds).toBe(10);
  isNeeded = false;
  fire(0);
  expect(set).toEqual([]);
});
