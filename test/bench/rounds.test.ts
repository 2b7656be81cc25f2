/** A warm-up lasts until the rate stops growing, and a measurement reports caveats for the reader. */
import { expect, it } from 'vitest';
import { measureInTurn, warmUp } from './rounds.ts';

/** Creates a load whose windows have the given rates. The last rate repeats. */
function loadOf(...rates: number[]) {
  const runs: number[] = [];
  const run = async () => {
    const rate = rates[Math.min(runs.length, rates.length - 1)] ?? 0;
    runs.push(rate);
    return { rate, refused: 0 };
  };
  return { runs, run };
}

it('a server is warm once the rates of two windows differ by no more than 5 %', async () => {
  const growing = loadOf(100, 200, 300, 315, 900);
  expect(await warmUp(growing.run)).toBe(true);
  expect(growing.runs).toEqual([100, 200, 300, 315]);
  const uneven = loadOf(300, 200, 210);
  expect(await warmUp(uneven.run)).toBe(true);
  expect(uneven.runs).toEqual([300, 200, 210]);
});

it('a warm-up ends after 15 windows of 2 s, and a note names the server whose rate still grew', async () => {
  const doubling = loadOf(...Array.from({ length: 20 }, (_, window) => 2 ** window));
  expect(await warmUp(doubling.run)).toBe(false);
  expect(doubling.runs.length).toBe(15);
  const growing = loadOf(...Array.from({ length: 20 }, (_, window) => 2 ** window));
  const { notes } = await measureInTurn([{ name: 'ours', run: growing.run }], 1);
  expect(notes).toEqual(['The rate of ours was not steady after 30 s of warm-up.']);
});

it('a measurement has the median of its rounds after the warm-up, processor times if any, and refusals', async () => {
  const ours = loadOf(50, 50, 40, 0, 60);
  const withTimes = async () => {
    const { rate } = await ours.run();
    return { rate, refused: 2, processor: 100 / rate };
  };
  const measured = await measureInTurn(
    [
      { name: 'orders', run: withTimes },
      { name: 'koa', run: loadOf(80).run },
    ],
    3,
  );
  expect(measured).toEqual({
    rates: [
      { name: 'orders', value: 40, rounds: [40, 0, 60] },
      { name: 'koa', value: 80, rounds: [80, 80, 80] },
    ],
    processor: [{ name: 'orders', value: (2.5 + 100 / 60) / 2, rounds: [2.5, 100 / 60] }],
    notes: ['6 calls of orders were refused with 503 and do not count: the event loop was late.'],
  });
});

it('a server that serves no order in any round has a processor time that is not measured', async () => {
  const run = async () => ({ rate: 0, refused: 0, processor: Number.NaN });
  const { processor } = await measureInTurn([{ name: 'orders', run }], 2);
  expect(processor).toEqual([{ name: 'orders', value: Number.NaN, rounds: [] }]);
});
