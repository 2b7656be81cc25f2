/** Rules for the outcomes of redemptions: the platform must report to the client the outcomes that it shows. */
import { callerTraceRule, hostTraceRule, type Observation, type TraceRule } from '../rule.ts';
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

/**
 * Creates a rule about reports to the client. If the client accepted the `record` of a redemption, the platform must report a shown
 * outcome with `call`.
 */
function reported(
  id: string,
  basis: string,
  record: string,
  { call, status }: { readonly call: string; readonly status?: string },
  shown: (trace: Trace) => readonly Shown[],
): TraceRule {
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
      const issue = { pointer, expected, actual: code };
      yield sent.length > 0 ? { at, with: sent.slice(0, 1) } : { at, with: [accepted], issue, absent: [call] };
    }
  });
}

export const outcomeTraceRules: readonly TraceRule[] = [
  reported('voucher-is-reported', 'stated G15', 'saveRedeemDetails', update('Delivered'), vouchers),
  reported('delivery-is-reported', 'stated G15', 'saveRedeemDetails', update('Delivered'), linesWith('Delivered')),
  reported('failure-is-reported', 'stated G16', 'saveRedeemDetails', update('Rejected'), linesWith('Rejected')),
  reported('failure-is-reversed', 'stated E8', 'redeemPoints', { call: 'reversePoints' }, linesWith('Rejected')),
  hostTraceRule('failed-order-is-undone', 'stated G16', function* (trace) {
    const orders = trace.complete ? trace.of(...placing) : [];
    const failed = orders.filter(({ status = 0 }) => status >= 400);
    const undoings = { saveRedeemDetails: 'updateRedeemStatus', redeemPoints: 'reversePoints' };
    for (const [operation, undoing] of Object.entries(undoings)) {
      const undone = trace.by('redeemCode', undoing);
      for (const record of trace.of(operation)) {
        const { redeemCode: code = '' } = record.facts;
        const isShown = !record.succeeded || trace.orderLines.has(code);
        const at = isShown ? undefined : failed.find((order) => trace.isWithin(record, order));
        if (at === undefined || orders.some((one) => one.succeeded && trace.isWithin(record, one))) continue;
        const expected = `an order, or ${undoing} for ${code}, whose points the client deducted`;
        const issue = { pointer: '/status', expected, actual: at.status };
        yield undone.has(code) ? { at, with: [record] } : { at, with: [record], issue, absent: [undoing] };
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
      const issue = { pointer: '/body/redeem_code', expected: 'a redemption that was deducted', actual: code };
      if (at?.succeeded) yield deducted ? { at } : { at, issue, absent: deducting };
    }
  }),
  orderStays('delivered-order-stays', 'stated S4', 'Delivered'),
  orderStays('rejected-order-stays', 'stated S6', 'Rejected'),
];

function update(status: string) {
  return { call: 'updateRedeemStatus', status };
}

/** Checks that the client accepted the record of each line that an order shows as placed. */
function* judgeOrder(trace: Trace, code: string, records: readonly TraceEvent[]): Generator<Observation> {
  for (const { line, event: at, index } of trace.orderLines.get(code) ?? []) {
    const during = records.filter((record) => trace.isWithin(record, at));
    if (during.length === 0 || trace.isCut(records) || line.status === 'Rejected') continue;
    const expected = 'an error, or a rejected line, since the client refused its record';
    const issue = { pointer: `/body/lines/${index}/status`, expected, actual: line.status };
    if (records.some(({ succeeded }) => succeeded)) yield { at, with: during.slice(0, 1) };
    else if (records.every(isRefused)) yield { at, with: during.slice(0, 1), issue };
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
      const pointer = `/body/lines/${other?.index}/status`;
      const issue = { pointer, expected: `${status}, as before`, actual: other?.line.status };
      yield other === undefined ? { at: first.event } : { at: other.event, with: [first.event], issue };
    }
  });
}
