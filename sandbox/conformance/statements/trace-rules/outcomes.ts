/** How redemptions end: what the platform shows of them, and what it told the client. */
import { callerTraceRule, hostTraceRule, type Observation, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';
import { isRefused } from './redemptions.ts';

const placing = ['createRedemptionOrder', 'createProductOrder', 'createOrder'] as const;

/** An outcome that the platform showed of a redemption. */
interface Shown {
  readonly at: TraceEvent;
  readonly code: string;
  readonly pointer: string;
}

function* linesWith(trace: Trace, status: string): Generator<Shown> {
  for (const [code, listed] of trace.orderLines) {
    for (const { line, event: at } of listed) {
      const index = at.facts.lines?.indexOf(line) ?? 0;
      if (line.status === status) yield { at, code, pointer: `/body/lines/${index}/status` };
    }
  }
}

function* vouchersOf(trace: Trace): Generator<Shown> {
  for (const at of trace.of('getWalletDetail')) {
    for (const [index, { redeemCode }] of (at.succeeded ? (at.facts.vouchers ?? []) : []).entries()) {
      if (redeemCode !== undefined) yield { at, code: redeemCode, pointer: `/body/data/${index}/redemptionCode` };
    }
  }
}

/** A rule that the client, which took the `record` of a redemption, was sent its shown outcome by `call`. */
function reported(
  id: string,
  basis: string,
  record: string,
  { call, status }: { readonly call: string; readonly status?: string },
  shown: (trace: Trace) => Iterable<Shown>,
): TraceRule {
  return hostTraceRule(id, basis, function* (trace) {
    if (!trace.complete) return;
    const [records, calls] = [trace.by('redeemCode', record), trace.by('redeemCode', call)];
    const seen = new Set<string>();
    for (const { at, code, pointer } of shown(trace)) {
      const taken = records.get(code)?.find(({ succeeded }) => succeeded);
      if (taken === undefined || seen.has(code)) continue;
      seen.add(code);
      const sent = (calls.get(code) ?? []).filter(({ facts }) => status === undefined || facts.reported === status);
      const expected = `a redemption of which the client was sent ${status ?? call}`;
      const issue = { pointer, expected, actual: code };
      yield sent.length > 0 ? { at, with: sent.slice(0, 1) } : { at, with: [taken], issue, absent: [call] };
    }
  });
}

/** The orders that failed although the client took a record meanwhile, whose code no order shows, each with that record. */
function* failedOrders(trace: Trace): Generator<Shown & { readonly record: TraceEvent }> {
  const orders = trace.of(...placing);
  for (const record of trace.of('saveRedeemDetails', 'redeemPoints')) {
    const { redeemCode: code } = record.facts;
    const around = orders.filter((order) => trace.isWithin(record, order));
    const [at] = around;
    if (at === undefined || code === undefined || !record.succeeded || trace.orderLines.has(code)) continue;
    if (around.every(({ status = 0 }) => status >= 400)) yield { at, code, pointer: '/status', record };
  }
}

export const outcomeTraceRules: readonly TraceRule[] = [
  reported('voucher-is-reported', 'stated G15', 'saveRedeemDetails', update('Delivered'), vouchersOf),
  reported('delivery-is-reported', 'stated G15', 'saveRedeemDetails', update('Delivered'), (trace) =>
    linesWith(trace, 'Delivered'),
  ),
  reported('failure-is-reported', 'stated G16', 'saveRedeemDetails', update('Rejected'), (trace) =>
    linesWith(trace, 'Rejected'),
  ),
  reported('failure-is-reversed', 'stated E8', 'redeemPoints', { call: 'reversePoints' }, (trace) =>
    linesWith(trace, 'Rejected'),
  ),
  hostTraceRule('failed-order-is-undone', 'stated G16', function* (trace) {
    if (!trace.complete) return;
    const [updates, reversals] = [
      trace.by('redeemCode', 'updateRedeemStatus'),
      trace.by('redeemCode', 'reversePoints'),
    ];
    for (const { at, code, pointer, record } of failedOrders(trace)) {
      const absent = [record.operation === 'redeemPoints' ? 'reversePoints' : 'updateRedeemStatus'];
      const expected = `an order, or ${absent[0]} for ${code}, whose points the client deducted`;
      const issue = { pointer, expected, actual: at.status };
      const isUndone = updates.has(code) || reversals.has(code);
      yield isUndone ? { at, with: [record] } : { at, with: [record], issue, absent };
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

/** Whether an order that shows a line as placed had its record taken by the client. */
function* judgeOrder(trace: Trace, code: string, records: readonly TraceEvent[]): Generator<Observation> {
  for (const { line, event: at } of trace.orderLines.get(code) ?? []) {
    const during = records.filter((record) => trace.isWithin(record, at));
    if (during.length === 0 || trace.isCut(records) || line.status === 'Rejected') continue;
    const expected = 'an error, or a rejected line, since the client refused its record';
    const issue = { pointer: `/body/lines/${at.facts.lines?.indexOf(line)}/status`, expected, actual: line.status };
    if (records.some(({ succeeded }) => succeeded)) yield { at, with: during.slice(0, 1) };
    else if (records.every(isRefused)) yield { at, with: during.slice(0, 1), issue };
  }
}

/** A rule that a line which an order status showed as ended is shown so from then on. */
function orderStays(id: string, basis: string, status: 'Delivered' | 'Rejected'): TraceRule {
  return hostTraceRule(id, basis, function* (trace) {
    for (const [, all] of trace.orderLines) {
      const listed = all.filter(({ event }) => event.operation === 'getOrderStatus');
      const first = listed.find(({ line }) => line.status === 'Delivered' || line.status === 'Rejected');
      if (first?.line.status !== status) continue;
      const other = listed.find(
        ({ line, event }) => line.status !== undefined && line.status !== status && trace.isBefore(first.event, event),
      );
      const pointer = `/body/lines/${other?.event.facts.lines?.indexOf(other.line)}/status`;
      const issue = { pointer, expected: `${status}, as before`, actual: other?.line.status };
      yield other === undefined ? { at: first.event } : { at: other.event, with: [first.event], issue };
    }
  });
}
