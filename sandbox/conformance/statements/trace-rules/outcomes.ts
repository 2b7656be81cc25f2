/** Rules for the outcomes of redemptions: the platform must report to the client the outcomes that it shows. */
import { callerTraceRule, hostTraceRule, type Observation, observe, observeSame, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';
import { placing } from './orders.ts';
import { isEnd, isRefused } from './redemptions.ts';
import { walletVouchers } from './vouchers.ts';

/** An outcome of a redemption in a reply from the platform. */
interface Shown {
  readonly at: TraceEvent;
  readonly code: string | undefined;
  readonly pointer: string;
}

const linesWith = (status: string) => (trace: Trace) =>
  [...trace.orderLines].flatMap(([code, listed]): Shown[] =>
    listed
      .filter(({ line }) => line.status === status)
      .map(({ event: at, index }) => ({ at, code, pointer: `/body/lines/${index}/status` })),
  );

const vouchers = (trace: Trace) =>
  [...walletVouchers(trace)].map(({ at, voucher, index }): Shown => {
    return { at, code: voucher.redeemCode, pointer: `/body/data/${index}/redemptionCode` };
  });

/** The calls that report an outcome to the client, by the call that deducted the points. */
const reports = { saveRedeemDetails: 'updateRedeemStatus', redeemPoints: 'reversePoints' } as const;

/**
 * Creates a rule about reports to the client. If the client accepted the `record` of a redemption, the platform must report a shown
 * outcome, with this status if the report has one.
 */
function reported(
  id: string,
  basis: string,
  record: keyof typeof reports,
  status: string | undefined,
  shown: (trace: Trace) => readonly Shown[],
): TraceRule {
  const call = reports[record];
  return hostTraceRule(id, basis, function* (trace) {
    if (!trace.complete) return;
    const [records, calls] = [trace.by('redeemCode', record), trace.by('redeemCode', call)];
    const seen = new Set<string>();
    for (const { at, code, pointer } of shown(trace)) {
      const accepted = records.get(code ?? '')?.find(({ succeeded }) => succeeded);
      if (code === undefined || accepted === undefined || seen.has(code)) continue;
      seen.add(code);
      const sent = (calls.get(code) ?? []).filter(({ facts }) => status === undefined || facts.reported === status);
      const expected = `a redemption of which the client was sent ${status ?? call}`;
      yield observe(at, [accepted], sent.length > 0, pointer, expected, code, [call]);
    }
  });
}

export const outcomeTraceRules: readonly TraceRule[] = [
  reported('voucher-is-reported', 'stated G15', 'saveRedeemDetails', 'Delivered', vouchers),
  reported('delivery-is-reported', 'stated G15', 'saveRedeemDetails', 'Delivered', linesWith('Delivered')),
  reported('failure-is-reported', 'stated G16', 'saveRedeemDetails', 'Rejected', linesWith('Rejected')),
  reported('failure-is-reversed', 'stated E8', 'redeemPoints', undefined, linesWith('Rejected')),
  hostTraceRule('failed-order-is-undone', 'stated G16', function* (trace) {
    const orders = trace.complete ? trace.of(...placing) : [];
    const failed = orders.filter(({ status = 0 }) => status >= 400);
    for (const [operation, undoing] of Object.entries(reports)) {
      const undone = trace.by('redeemCode', undoing);
      for (const record of trace.of(operation)) {
        const { redeemCode: code = '' } = record.facts;
        const isShown = !record.succeeded || trace.orderLines.has(code);
        const at = isShown ? undefined : failed.find((order) => trace.isWithin(record, order));
        if (at === undefined || orders.some((one) => one.succeeded && trace.isWithin(record, one))) continue;
        const expected = `an order, or ${undoing} for ${code}, whose points the client deducted`;
        yield observe(at, [record], undone.has(code), '/status', expected, at.status, [undoing]);
      }
    }
  }),
  hostTraceRule('order-of-a-taken-record', 'stated B9 S3', function* (trace) {
    for (const operation of ['saveRedeemDetails', 'redeemPoints']) {
      for (const [code, records] of trace.by('redeemCode', operation)) yield* judgeOrder(trace, code, records);
    }
  }),
  callerTraceRule('reversal-of-a-deduction', 'stated E8', function* (trace) {
    if (!trace.complete) return;
    const deducting = ['redeemPoints', 'saveRedeemDetails'];
    for (const [code, [at]] of trace.by('redeemCode', 'reversePoints')) {
      const deducted = deducting.some((operation) => trace.by('redeemCode', operation).has(code));
      const issue = ['/body/redeem_code', 'a redemption that was deducted', code] as const;
      if (at?.succeeded) yield observe(at, [], deducted, ...issue, deducting);
    }
  }),
  orderStays('delivered-order-stays', 'stated S4', 'Delivered'),
  orderStays('rejected-order-stays', 'stated S6', 'Rejected'),
];

/** Checks that the client accepted the record of each line that an order shows as placed. */
function* judgeOrder(trace: Trace, code: string, records: readonly TraceEvent[]): Generator<Observation> {
  for (const { line, event: at, index } of trace.orderLines.get(code) ?? []) {
    const during = records.filter((record) => trace.isWithin(record, at));
    if (during.length === 0 || trace.isCut(records) || line.status === 'Rejected') continue;
    const isTaken = records.some(({ succeeded }) => succeeded);
    if (!isTaken && !records.every(isRefused)) continue;
    const expected = 'an error, or a rejected line, since the client refused its record';
    yield observe(at, during.slice(0, 1), isTaken, `/body/lines/${index}/status`, expected, line.status);
  }
}

/** Creates a rule that a line with a final status must have the same status in all later replies. */
function orderStays(id: string, basis: string, status: 'Delivered' | 'Rejected'): TraceRule {
  return hostTraceRule(id, basis, function* (trace) {
    for (const all of trace.orderLines.values()) {
      const listed = all.filter(({ event }) => event.operation === 'getOrderStatus');
      const first = listed.find(({ line }) => isEnd(line.status));
      if (first?.line.status !== status) continue;
      const other = listed.find(
        ({ line, event }) => line.status !== undefined && line.status !== status && trace.isBefore(first.event, event),
      );
      const issue = [`/body/lines/${other?.index}/status`, `${status}, as before`, other?.line.status] as const;
      yield observe(other?.event ?? first.event, [first.event], other === undefined, ...issue);
    }
  });
}

/** Rules across both versions of the API. Both use one ledger, so their reports about a redemption must agree. */

export const versionTraceRules: readonly TraceRule[] = [
  hostTraceRule('order-status-agrees-with-reports', 'OP-29', function* (trace) {
    const updates = trace.by('redeemCode', 'updateRedeemStatus');
    for (const [code, listed] of trace.orderLines) {
      const ends = (updates.get(code) ?? []).filter(({ succeeded, facts }) => succeeded && isEnd(facts.reported));
      const [report] = ends;
      for (const { line, event: at, index } of listed.filter(({ line }) => isEnd(line.status))) {
        if (report === undefined) continue;
        const expected = `${report.facts.reported}, as reported to the client`;
        const agrees = ends.some(({ facts }) => facts.reported === line.status);
        yield observe(at, [report], agrees, `/body/lines/${index}/status`, expected, line.status);
      }
    }
  }),
  callerTraceRule('reversal-of-what-was-deducted', 'OP-29', function* (trace) {
    const deductions = trace.by('redeemCode', 'redeemPoints');
    for (const [code, reversals] of trace.by('redeemCode', 'reversePoints')) {
      const deduction = deductions.get(code)?.find(({ facts }) => facts.total !== undefined);
      const total = deduction?.facts.total;
      for (const at of reversals)
        yield* observeSame(at, deduction, '/body/points', `${total}, as deducted`, total, at.facts.total);
    }
  }),
];
