/** The report of a run: all targets, failures, and no path of the machine. */
import { expect, it } from 'vitest';
import { row } from './figures.ts';
import { withoutPlaces } from './machine.ts';
import { printed, wanted } from './printed.ts';
import { type Outcome, reportOf } from './report.ts';
import { partNames, targets } from './targets.ts';

const machine = {
  processor: 'Some <CPU>',
  cores: 2,
  memory: '24 GiB',
  kernel: 'Linux 6',
  node: 'v24',
  fileSystem: 'ext4',
};
const run = { date: '2026-11-23', version: '0.1.0', seconds: 300, load: 'wrk', machine };
const rows = [row('ours', 1200), row('bare Koa', 1000)];
const outcomes: Outcome[] = [
  {
    part: 'listing',
    measured: {
      figures: { 'listing/koa': 0.2, 'listing/prism': 9 },
      tables: [{ title: 'Listing & <more>', unit: '/s', against: 'bare Koa', rows }],
      notes: ["It was read from /home/somebody/bench-x1/page.json, 'so'."],
    },
  },
  { part: 'proxy', error: new Error('cannot open /home/somebody/bench-x1/page.json') },
];

it('every row of the budget is there, with its earlier figure', () => {
  const listed = targets.map(
    ({ name, before, goal, unit }) => `${name} | ${before} | ${goal ? wanted(goal, unit) : 'no target'}`,
  );
  expect(listed).toEqual([
    'schema validations of an order | 16 | <= 6',
    'JSON.parse calls of an order | 12 | <= 5',
    'JSON.stringify calls of an order | 52 | <= 17',
    'schema validations of a listing | 1 | <= 1',
    'JSON.parse calls of a listing | 0 | <= 0',
    'JSON.stringify calls of a listing | 4 | <= 2',
    'function calls of an order | 3,560 | <= 2,600',
    'function calls of a listing | 831 | <= 500',
    'files that an order runs through | 120 | <= 90',
    'files that a listing runs through | 78 | <= 50',
    'listing against bare Koa | 0.15 | >= 0.3',
    'listing against Prism mock | 0.89 | >= 1.75',
    'listing against Mockoon | 1.40 | >= 2.8',
    "orders, 10 connections, against bare Koa's listings | 0.012 | no target",
    'processor time of an order, 50 customers | 6 ms | no target',
    'the same, one customer with 10,000 orders, against 50 | 0.64 | <= 1.5',
    'listings against the other checkout | 1 | >= 2',
    'orders, 10 connections, against the other checkout | 1 | >= 1.7',
    'processor time of an order, the same | 1 | <= 0.6',
    "proxy with second opinion against Prism's | 1.69 | >= 1.5",
    "proxy without it against Prism's | 2.05 | >= 3",
    'ready, empty | 0.38 s | <= 0.3 s',
    'ready, 20,000 orders | 1.40 s | <= 1.5 s',
    'ready, 100,000 orders | 5.9 s | <= 8 s',
    'idle memory, sandbox | 104 MB | <= 110 MB',
    'idle memory, proxy without second opinion | 89 MB | <= 120 MB',
    'heap per stored order | 3.1 KB | <= 4 KB',
    'longest block of a checkpoint, 20,000 orders | 6 ms | <= 30 ms',
    'longest block of a checkpoint, 100,000 orders | 10 ms | <= 100 ms',
  ]);
  expect(targets.filter(({ key, part }) => !key.startsWith(`${part}/`))).toEqual([]);
  expect(targets.filter(({ part }) => !partNames.includes(part))).toEqual([]);
});

it('a target whose part failed or has no figure is not measured, and the failed part is named', () => {
  const report = reportOf(outcomes, run);
  expect(report.targets.map(({ key, measured, verdict }) => [key, measured, verdict])).toEqual([
    ['listing/koa', 0.2, 'missed'],
    ['listing/prism', 9, 'met'],
    ['listing/mockoon', null, 'not measured'],
    ['proxy/prism', null, 'not measured'],
    ['proxy/alone', null, 'not measured'],
  ]);
  expect(report.failed).toEqual([{ part: 'proxy', reason: 'cannot open ...' }]);
});

it('a figure without a target is neither met nor missed', () => {
  const figures = { 'orders/koa': 0.0118, 'orders/customer': 0.6 };
  const report = reportOf([{ part: 'orders', measured: { figures, tables: [] } }], run);
  expect(report.targets.map(({ key, measured, verdict }) => [key, measured, verdict])).toEqual([
    ['orders/koa', 0.0118, 'no target'],
    ['orders/processor', null, 'not measured'],
    ['orders/customer', 0.6, 'met'],
  ]);
  expect(printed(report, (_, text) => text)).toMatch(/bare Koa's listings +0\.012 +0\.0118 +no target\n/);
});

it('no text names a folder, the host or the user', () => {
  const names = ['/root', 'build-host-7', 'somebody'];
  const text = 'file:///home/somebody/x.ts:3 on build-host-7 by somebody, 9.5 /s of 2/3, Linux 6.18';
  expect(withoutPlaces(text, names)).toBe('...:3 on ... by ..., 9.5 /s of 2/3, Linux 6.18');
  expect(JSON.stringify(reportOf(outcomes, run))).not.toMatch(/somebody|bench-x1/);
});

it('the printed report has targets first, then each table with ratio, figure and rounds, and colours on request', () => {
  const plain = printed(reportOf(outcomes, run), (_, text) => text);
  expect(plain).toMatch(
    /Targets[\s\S]*listing against bare Koa +0\.15 +0\.20 +>= 0\.3 +missed[\s\S]*Listing & <more>\n {2}ours +1\.20 of bare Koa +1,200 \/s\n/,
  );
  expect(plain).toContain('failed: proxy: cannot open ...');
  const marked = printed(reportOf(outcomes, run), (colour, text) => `[${colour}]${text}`);
  expect(marked).toContain('[green]met');
  expect(marked).toContain('[red]missed');
});
