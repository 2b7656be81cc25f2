/** The report of a run: all targets, failures, no path of the machine, and the picture. */
import { expect, it } from 'vitest';
import { row } from './figures.ts';
import { withoutPlaces } from './machine.ts';
import { escaped, picture } from './picture.ts';
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
      figures: { 'listing/koa': 0.4, 'listing/prism': 9 },
      tables: [{ title: 'Listing & <more>', unit: '/s', against: 'bare Koa', rows }],
      notes: ["It was read from /home/somebody/bench-x1/page.json, 'so'."],
    },
  },
  { part: 'proxy', error: new Error('cannot open /home/somebody/bench-x1/page.json') },
];

it('every row of the table of targets is there, with its earlier figure', () => {
  const listed = targets.map(
    (target) => `${target.name} | ${target.before} | ${wanted({ ...target, measured: null, verdict: 'not measured' })}`,
  );
  expect(listed).toEqual([
    'listing against bare Koa | 0.14 | >= 0.5',
    'listing against Prism mock | 2.2 | >= 2.5',
    'listing against Mockoon |  | >= 6',
    'listing while another process flushes the same disk | 200/s | >= 0.8',
    'orders, 10 connections | 237/s | >= 900 /s',
    'orders, 50 connections | 237/s | >= 900 /s',
    'one order alone, p50 | 7.4 ms | <= 3 ms',
    'processor time of an order, 50 customers |  | <= 3 ms',
    'the same, one customer with 10,000 orders, against 50 customers | 8 | <= 1.5',
    'orders with 100,000 stored against 100 | 1.1 at 30,000 | >= 0.85',
    'files that an order runs through | 127 | <= 60',
    'function calls of an order | 5,238 | <= 2,000',
    'files that a listing runs through | 78 | <= 40',
    "proxy with second opinion against Prism's | 2.3 | >= 1.5",
    "proxy without it against Prism's | 2.3 | >= 4",
    'ready, empty | 0.8 s | <= 0.3 s',
    'ready, 20,000 orders |  | <= 1.5 s',
    'ready, 100,000 orders | 8 to 13 s | <= 8 s',
    'idle memory, sandbox | 136 MB | <= 110 MB',
    'idle memory, proxy without second opinion | about 300 MB | <= 120 MB',
    'most memory with two certifications at once | 663 MB | <= 450 MB',
    'heap per stored order | 7 KB | <= 4 KB',
    'longest block of a checkpoint, 20,000 orders |  | <= 30 ms',
    'longest block of a checkpoint, 100,000 orders |  | <= 100 ms',
    'data folder against what it holds |  | <= 3',
    'workspaces made in 10 s |  | >= 1,000',
  ]);
  expect(targets.filter(({ key, part }) => !key.startsWith(`${part}/`))).toEqual([]);
  expect(targets.filter(({ part }) => !partNames.includes(part))).toEqual([]);
});

it('a target whose part failed or has no figure is not measured, and the failed part is named', () => {
  const report = reportOf(outcomes, run);
  expect(report.targets.map(({ key, measured, verdict }) => [key, measured, verdict])).toEqual([
    ['listing/koa', 0.4, 'missed'],
    ['listing/prism', 9, 'met'],
    ['listing/mockoon', null, 'not measured'],
    ['listing/disturbed', null, 'not measured'],
    ['proxy/prism', null, 'not measured'],
    ['proxy/alone', null, 'not measured'],
  ]);
  expect(report.failed).toEqual([{ part: 'proxy', reason: 'cannot open ...' }]);
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
    /Targets[\s\S]*listing against bare Koa +0\.14 +0\.40 +>= 0\.5 +missed[\s\S]*Listing & <more>\n {2}ours +1\.20 of bare Koa +1,200 \/s\n/,
  );
  expect(plain).toContain('failed: proxy: cannot open ...');
  const marked = printed(reportOf(outcomes, run), (colour, text) => `[${colour}]${text}`);
  expect(marked).toContain('[green]met');
  expect(marked).toContain('[red]missed');
});

it('texts of the picture are escaped, and it has a text alternative and colours for light and dark', () => {
  expect(escaped(`<a href="x">'&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;');
  const svg = picture(reportOf(outcomes, run));
  expect(svg).toContain('>Listing &amp; &lt;more&gt;</text>');
  expect(svg).toContain('role="img" aria-labelledby="speed-title speed-text"');
  expect([...svg.matchAll(/<rect class="(own|other)"/g)].map(([, whose]) => whose)).toEqual(['own', 'other']);
  expect(svg).toContain('1 of 6 targets are met');
  expect(svg).toContain('prefers-color-scheme: dark');
  const words = svg.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]*>/g, '');
  expect(words).not.toMatch(/[<>]/);
});

it('a bar ends at the edge of the picture, however far a target is exceeded', () => {
  const svg = picture(reportOf([{ part: 'listing', measured: { figures: { 'listing/koa': 900 }, tables: [] } }], run));
  const widths = [...svg.matchAll(/ width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(Math.max(...widths)).toBeLessThanOrEqual(396);
});
