/** Both versions of the API use one ledger: what they report about one redemption must agree. */
import { callerTraceRule, hostTraceRule, type TraceRule } from '../rule.ts';
import { lineEnds } from './orders.ts';

export const versionTraceRules: readonly TraceRule[] = [
  hostTraceRule('order-status-agrees-with-reports', 'OP-29', function* (trace) {
    const updates = trace.by('redeemCode', 'updateRedeemStatus');
    for (const { code, finalStatuses } of lineEnds(trace)) {
      const ends = (updates.get(code) ?? []).filter(
        ({ succeeded, facts }) => succeeded && (facts.reported === 'Delivered' || facts.reported === 'Rejected'),
      );
      const [report] = ends;
      if (report === undefined) continue;
      for (const { status, event: at, index } of finalStatuses) {
        const expected = `${report.facts.reported}, as reported to the client`;
        const issue = { pointer: `/body/lines/${index}/status`, expected, actual: status };
        const agrees = ends.some(({ facts }) => facts.reported === status);
        yield agrees ? { at, with: [report] } : { at, with: [report], issue };
      }
    }
  }),
  callerTraceRule('deducted-by-one-version', 'OP-29', function* (trace) {
    const records = trace.by('redeemCode', 'saveRedeemDetails');
    for (const [code, deductions] of trace.by('redeemCode', 'redeemPoints')) {
      const at = deductions.find(({ succeeded }) => succeeded);
      const record = records.get(code)?.find(({ succeeded }) => succeeded);
      if (at === undefined) continue;
      const expected = 'a code not sent earlier with saveRedeemDetails';
      const issue = { pointer: '/body/redeem_code', expected, actual: code };
      yield record === undefined ? { at } : { at, with: [record], issue };
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
  hostTraceRule('no-deduction-after-reversal', 'OP-29', function* (trace) {
    const reversals = trace.by('redeemCode', 'reversePoints');
    for (const [code, deductions] of trace.by('redeemCode', 'redeemPoints')) {
      const reversed = (reversals.get(code) ?? []).filter(({ succeeded }) => succeeded);
      for (const at of deductions) {
        const before = reversed.find((one) => trace.isBefore(one, at));
        const issue = { pointer: '/status', expected: 'an error, since the code was reversed', actual: at.status };
        if (before !== undefined && at.status !== undefined) {
          yield at.succeeded ? { at, with: [before], issue } : { at, with: [before] };
        } else if (reversed.some((one) => trace.isBefore(at, one))) yield { at };
      }
    }
  }),
  callerTraceRule('no-reversal-after-delivery', 'OP-52', function* (trace) {
    const delivered = new Map(
      [...lineEnds(trace)].flatMap(({ code, finalStatuses }) => {
        const end = finalStatuses.find(({ status }) => status === 'Delivered');
        return end === undefined ? [] : [[code, end.event] as const];
      }),
    );
    for (const [code, reversals] of trace.by('redeemCode', 'reversePoints')) {
      const at = reversals.find(({ succeeded }) => succeeded);
      const end = delivered.get(code);
      if (at === undefined) continue;
      const issue = { pointer: '/body/redeem_code', expected: 'an undelivered line', actual: code };
      yield end === undefined ? { at } : { at, with: [end], issue };
    }
  }),
];
