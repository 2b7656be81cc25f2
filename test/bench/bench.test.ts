/** The arithmetic of the benchmark, its warm-up, and what its report must not contain. */
import { expect, it } from 'vitest';
import { ratioOf, row } from './figures.ts';
import { reportOf, withoutPlaces } from './report.ts';
import { measureInTurn, warmUp } from './rounds.ts';
import { verdict } from './targets.ts';

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

it('a figure is the median of its rounds, has a ratio to the reference row, and meets a target at exactly its bound', () => {
  const rows = [row('ours', 30, 50, 40), row('bare', 70, 80, 100, 80)];
  expect(rows.map((one) => ratioOf({ title: '', unit: '/s', against: 'bare', rows }, one))).toEqual([0.5, undefined]);
  const least = { bound: 'least', target: 800 } as const;
  const most = { bound: 'most', target: 3 } as const;
  expect([799.9, 800].map((figure) => verdict(least, figure))).toEqual(['missed', 'met']);
  expect([3.01, 3, Number.NaN].map((figure) => verdict(most, figure))).toEqual(['missed', 'met', 'not measured']);
});

it('a server is warm once the rates of two windows differ by no more than 5 %, or after 30 s, with a note', async () => {
  const growing = loadOf(100, 200, 300, 315, 900);
  expect(await warmUp(growing.run)).toBe(true);
  expect(growing.runs).toEqual([100, 200, 300, 315]);
  const doubling = loadOf(...Array.from({ length: 20 }, (_, window) => 2 ** window));
  const { notes } = await measureInTurn([{ name: 'ours', run: doubling.run }], 1);
  expect([doubling.runs.length, notes]).toEqual([16, ['The rate of ours was not steady after 30 s of warm-up.']]);
});

it('a measurement has the rounds of each server after the warm-up, processor times if any, and refusals', async () => {
  const ours = loadOf(50, 50, 40, 0, 60);
  const withTimes = async () => {
    const { rate } = await ours.run();
    return { rate, refused: 2, processor: 100 / rate };
  };
  const loads = [
    { name: 'orders', run: withTimes },
    { name: 'koa', run: loadOf(80).run },
  ];
  expect(await measureInTurn(loads, 3)).toEqual({
    rates: [
      { name: 'orders', value: 40, rounds: [40, 0, 60] },
      { name: 'koa', value: 80, rounds: [80, 80, 80] },
    ],
    processor: [{ name: 'orders', value: (2.5 + 100 / 60) / 2, rounds: [2.5, 100 / 60] }],
    notes: ['6 calls of orders were refused with 503 and do not count: the event loop was late.'],
  });
});

it('no text of a report names a folder, the host or the user', () => {
  const names = ['/root', 'build-host-7', 'somebody'];
  const text = 'file:///home/somebody/x.ts:3 on build-host-7 by somebody, 9.5 /s of 2/3, Linux 6.18';
  expect(withoutPlaces(text, names)).toBe('...:3 on ... by ..., 9.5 /s of 2/3, Linux 6.18');
  const notes = ['Read from /home/somebody/page.json.'];
  const error = new Error('cannot open /home/somebody/page.json');
  const machine = { processor: '', cores: 2, memory: '', kernel: '', node: '', fileSystem: '' };
  const report = reportOf(
    [
      { part: 'orders', measured: { figures: { 'orders/koa': 0.01, 'orders/customer': 0.6 }, tables: [], notes } },
      { part: 'proxy', error },
    ],
    { seconds: 1, load: 'wrk', machine },
  );
  expect(report.targets.map(({ key, measured, verdict }) => [key, measured, verdict])).toEqual([
    ['orders/koa', 0.01, 'no target'],
    ['orders/processor', null, 'not measured'],
    ['orders/customer', 0.6, 'met'],
    ['proxy/prism', null, 'not measured'],
    ['proxy/alone', null, 'not measured'],
  ]);
  expect([report.failed, report.notes.slice(1)]).toEqual([
    [{ part: 'proxy', reason: 'Error: cannot open ...' }],
    ['Read from ...'],
  ]);
});
