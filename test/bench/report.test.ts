/** A run's report contains all targets and failures, but no path of the machine. */
import { expect, it } from 'vitest';
import { row } from './figures.ts';
import { withoutPlaces } from './machine.ts';
import { printed } from './printed.ts';
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

it('each row belongs to a part, and its key says to which', () => {
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
