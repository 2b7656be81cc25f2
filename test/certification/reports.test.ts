/** Tests the machine-readable certification reports: JUnit, CTRF, the matrix and the badge (OP-198). */
import { expect, it } from 'vitest';
import { matrixOf } from '../../sandbox/certification/matrix.ts';
import { ctrfReport, junitReport } from '../../sandbox/certification/report-files.ts';
import { htmlReport } from '../../sandbox/certification/reports/html.ts';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { failed, reported } from '../harness/reported.ts';

/** Returns a report that contains each kind of verdict. */
function mixed(): Report {
  const words = { 'CRD-02': 'fail', 'CRD-03': 'blocked', 'CRD-04': 'fail' } as const;
  const all = reported(words, { failures: [failed('CRD-02', { message: 'Grew by <14> & "more"' }), failed('CRD-04')] });
  const verdicts = all.verdicts.filter(({ group }) => group === 'credit').slice(0, 4);
  return { ...all, verdicts };
}

it('OP-198: JUnit has a case for each requirement; a should that fails passes with output unless --fail-on is should, a blocked one is skipped', () => {
  const cases = junitReport(mixed()).split('<testcase').slice(1);
  const names = cases.map((text) => / name="([^"]+)"/.exec(text)?.[1]?.slice(0, 6));
  expect(names).toEqual(['CRD-01', 'CRD-02', 'CRD-03', 'CRD-04', 'All ap']);
  const kinds = cases.map((text) => ['failure', 'skipped', 'system-out'].filter((kind) => text.includes(`<${kind}`)));
  expect(kinds).toEqual([[], ['failure'], ['skipped', 'system-out'], ['system-out'], ['failure']]);
  expect(cases[1]).toContain('Grew by &lt;14> &amp; &quot;more&quot;');
  expect(cases[1]).toContain('--only CRD-02');
  const strict = junitReport(mixed(), 'should').split('<testcase').slice(1);
  expect(strict[3]).toContain('<failure');
});

it('OP-198: CTRF counts passed, failed and skipped requirements, and states each verdict', () => {
  const { reportFormat, specVersion, results } = JSON.parse(ctrfReport(mixed()));
  expect({ reportFormat, specVersion, tool: results.tool, summary: results.summary }).toEqual({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    tool: { name: 'rewards-sandbox certify', version: '0.1.0' },
    summary: {
      tests: 4,
      passed: 1,
      failed: 2,
      pending: 0,
      skipped: 1,
      other: 0,
      start: Date.parse('2026-01-12T04:30:00.000Z'),
      stop: Date.parse('2026-01-12T04:30:12.000Z'),
    },
  });
  expect(results.tests.map(({ status, rawStatus }: Record<string, string>) => [status, rawStatus])).toEqual([
    ['passed', 'pass'],
    ['failed', 'fail'],
    ['skipped', 'blocked'],
    ['failed', 'fail'],
  ]);
});

it('OP-198: the matrix has a row for each operation, and the worst verdict of each column', () => {
  const [row] = matrixOf(mixed().verdicts);
  expect(row?.name).toBe('creditPoints');
  const seen = Object.entries(row?.cells ?? {}).map(([aspect, { worst, passed, of }]) => [aspect, worst, passed, of]);
  expect(seen.filter(([, worst]) => worst !== undefined)).toEqual([
    ['rules', 'pass', 1, 1],
    ['exactly_once', 'fail', 0, 2],
    ['concurrency', 'blocked', 0, 1],
  ]);
});

it('OP-198: the page shows control characters and characters that turn the text as what they are', () => {
  const message = 'a\u001b[2J\u0007\u0000b\u202ec';
  const all = reported({ 'CRD-02': 'fail' }, { failures: [failed('CRD-02', { message })] });
  const page = htmlReport(all);
  expect(page).toContain(String.raw`a\u001b[2J\u0007\u0000b\u202ec`);
  expect(page.match(/[\p{Cc}\p{Cf}]/gu)?.filter((character) => character !== '\n') ?? []).toEqual([]);
});

it('OP-198: the page states in plain sentences that balances were not restored, and why a run did not start', () => {
  const page = htmlReport(reported({}, { outcome: 'environment', problem: 'No response.', balances: 'not_restored' }));
  expect(page).toContain('Not started: the run lacks something it needs. No response.');
  expect(page).toContain('Not all balances were restored.');
});
