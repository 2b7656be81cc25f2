/** Rules across both versions of the API. Both use one ledger, so their reports about a redemption must agree. */
import { callerTraceRule, hostTraceRule, type TraceRule } from '../rule.ts';
import { isEnd } from './redemptions.ts';

export const versionTraceRules: readonly TraceRule[] = [
  hostTraceRule('order-status-agrees-with-reports', 'OP-29', function* (trace) {
    const updates = trace.by('redeemCode', 'updateRedeemStatus');
    for (const [code, listed] of trace.orderLines) {
      const ends = (updates.get(code) ?? []).filter(({ succeeded, facts }) => succeeded && isEnd(facts.reported));
      const [report] = ends;
      for (const { line, event: at, index } of listed.filter(({ line }) => isEnd(line.status))) {
        if (report === undefined) continue;
        const expected = `${report.facts.reported}, as reported to the client`;
        const issue = { pointer: `/body/lines/${index}/status`, expected, actual: line.status };
        const agrees = ends.some(({ facts }) => facts.reported === line.status);
        yield agrees ? { at, with: [report] } : { at, with: [report], issue };
      }
    }
  }),
  callerTraceRule('reversal-of-what-was-deducted', 'OP-29', function* (trace) {
    const deductions = trace.by('redeemCode', 'redeemPoints');
    for (const [code, reversals] of trace.by('redeemCode', 'reversePoints')) {
      const deduction = deductions.get(code)?.find(({ facts }) => facts.total !== undefined);
      for (const at of reversals) {
        if (deduction === undefined || at.facts.total === undefined) continue;
        const expected = `${deduction.facts.total}, as deducted`;
        const issue = { pointer: '/body/points', expected, actual: at.facts.total };
        const same = at.facts.total === deduction.facts.total;
        yield same ? { at, with: [deduction] } : { at, with: [deduction], issue };
      }
    }
  }),
];
