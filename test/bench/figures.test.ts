/** The arithmetic of a run: medians, ratios, targets, and the order of interleaved measurements. */
import { expect, it } from 'vitest';
import { figureOf, formatFigure, interleaved, median, ratioOf, row, withUnit } from './figures.ts';
import { verdict } from './targets.ts';

it('the median is the middle of the rounds, or between the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 100])).toBe(3.5);
  expect(median([])).toBeNaN();
});

it('a ratio is to the reference row of the table, and that row has none', () => {
  const rows = [row('ours', 30, 50, 40), row('bare', 80)];
  const table = { title: '', unit: '/s', against: 'bare', rows };
  expect(rows.map((one) => ratioOf(table, one))).toEqual([0.5, undefined]);
  const { against: _, ...alone } = table;
  expect(rows.map((one) => ratioOf(alone, one))).toEqual([undefined, undefined]);
  expect(() => figureOf(rows, 'elsewhere')).toThrow('nothing was measured as elsewhere');
});

it('subjects take turns: A B A B, and each figure stays with its subject', async () => {
  const order: string[] = [];
  const subject = (name: string) => ({ name, run: async (round: number) => order.push(`${name}${round}`) });
  const results = await interleaved([subject('A'), subject('B')], 2);
  expect(order).toEqual(['A0', 'B0', 'A1', 'B1']);
  expect([...results]).toEqual([
    ['A', [1, 3]],
    ['B', [2, 4]],
  ]);
});

it('a target is met at exactly its figure, missed beyond it, and not measured without a figure', () => {
  const least = { bound: 'least', target: 800 } as const;
  const most = { bound: 'most', target: 3 } as const;
  expect([799.9, 800, 900].map((figure) => verdict(least, figure))).toEqual(['missed', 'met', 'met']);
  expect([3.01, 3, 1].map((figure) => verdict(most, figure))).toEqual(['missed', 'met', 'met']);
  expect([undefined, Number.NaN].map((figure) => verdict(least, figure))).toEqual(['not measured', 'not measured']);
  const none = { bound: 'most', target: 0 } as const;
  expect([0, 1].map((figure) => verdict(none, figure))).toEqual(['met', 'missed']);
});

it('figures have two or three significant digits, and their unit', () => {
  expect([49_400.4, 12.34, 0.1449, 0.01184, 99].map(formatFigure)).toEqual(['49,400', '12.3', '0.14', '0.0118', '99']);
  expect([withUnit(7.4, 'ms'), withUnit(2, ''), withUnit(Number.NaN, 'ms')]).toEqual(['7.40 ms', '2', 'not measured']);
});
