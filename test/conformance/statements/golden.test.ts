/** The golden recording: every journey, without a mistake. */
import { describe, expect, it } from 'vitest';
import { lines, reportOf } from './check.ts';
import { golden } from './golden.ts';

describe('the golden recording', () => {
  it.each([true, false])('has no finding, whether it is read as complete or as a part: %s', (complete) => {
    expect(lines(reportOf(golden(), complete))).toEqual([]);
  });

  it('keeps every statement that traffic can show, except those that only a wrong request exercises', () => {
    const { statements } = reportOf(golden());
    expect(statements.filter(({ state }) => state === 'violated')).toEqual([]);
    const open = statements.filter(({ state }) => state === 'not_observed').map(({ id }) => id);
    // No recording of a few calls reaches a limit.
    expect(open).toEqual(['X3', 'X4', 'X6', 'L1', 'L2', 'L3']);
  });

  it('with wrong requests that are refused as stated, has a finding for each, and the refusals keep their statements', () => {
    const report = reportOf(golden({ refusals: true }));
    expect(report.findings.map(({ party, operation, pointer }) => `${party} ${operation} ${pointer}`)).toEqual([
      'caller listRewards /query/type',
      'caller saveRedeemDetails /body/uid',
      'caller updateRedeemStatus /body/redeemCode',
    ]);
    const { statements } = report;
    expect(statements.filter(({ state }) => state === 'violated').map(({ id }) => id)).toEqual(['A5']);
    const open = statements.filter(({ state }) => state === 'not_observed').map(({ id }) => id);
    expect(open).toEqual(['L1', 'L2', 'L3']);
  });
});
