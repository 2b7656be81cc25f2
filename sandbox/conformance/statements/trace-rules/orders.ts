/** Rules for orders: the platform's replies, and the calls that it sends to the client. */
import { callerTraceRule, hostTraceRule, observe, observeSame, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';
import { different } from './redemptions.ts';

export const placing = ['createRedemptionOrder', 'createProductOrder', 'createOrder'] as const;
const deducting = ['saveRedeemDetails', 'redeemPoints'] as const;

/** Yields each record or deduction with the order line that has its redeem code. */
function* withLines(trace: Trace, ...operations: readonly string[]) {
  for (const at of trace.of(...operations)) {
    const { redeemCode } = at.facts;
    const [listed] = redeemCode === undefined ? [] : (trace.orderLines.get(redeemCode) ?? []);
    if (listed !== undefined) yield { at, line: listed.line, order: listed.event };
  }
}

/** Creates a rule that a fact of an operation's calls must equal the named value of the order line with the redeem code. */
function sameAsLine(
  id: string,
  basis: string,
  operation: (typeof deducting)[number],
  pointer: string,
  fact: 'quantity' | 'product' | 'total',
  named: 'quantity' | 'sku' | 'total',
): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    for (const { at, line, order } of withLines(trace, operation)) {
      const wanted = line[named];
      yield* observeSame(at, order, pointer, `${JSON.stringify(wanted)}, as in the order`, wanted, at.facts[fact]);
    }
  });
}

/** Field of a record with the total. */
const total = '/body/totalPointWithProcessingFee';

export const orderTraceRules: readonly TraceRule[] = [
  hostTraceRule('order-goes-to-the-client', 'stated G13 M5', function* (trace) {
    const sent = new Map(deducting.flatMap((operation) => [...trace.by('redeemCode', operation)]));
    for (const at of trace.of(...placing)) {
      for (const [index, { redeemCode }] of (at.succeeded ? (at.facts.lines ?? []) : []).entries()) {
        const calls = redeemCode === undefined ? undefined : sent.get(redeemCode);
        const issue = [`/body/lines/${index}/redeemCode`, 'a redemption sent to the client', redeemCode] as const;
        if (calls !== undefined || (trace.complete && redeemCode !== undefined))
          yield observe(at, [], calls !== undefined, ...issue, deducting);
      }
    }
  }),
  hostTraceRule('order-code-unique', 'stated R13', function* (trace) {
    const isSeveral = trace.orderLines.size > 1;
    for (const sameCode of trace.orderLines.values()) {
      const [first] = sameCode;
      if (first === undefined) continue;
      const another = sameCode.find(({ event }) => different(first.event.facts.orderId, event.facts.orderId));
      const pointer = `/body/lines/${another?.index}/redeemCode`;
      const issue = [pointer, 'a code not used by another order', first.line.redeemCode] as const;
      if (another !== undefined || isSeveral)
        yield observe(another?.event ?? first.event, [first.event], another === undefined, ...issue);
    }
  }),
  sameAsLine('record-has-the-quantity', 'stated R11', 'saveRedeemDetails', '/body/quantity', 'quantity', 'quantity'),
  sameAsLine('record-has-the-product', 'OP-235', 'saveRedeemDetails', '/body/productCode', 'product', 'sku'),
  sameAsLine('record-has-the-total', 'OP-08', 'saveRedeemDetails', total, 'total', 'total'),
  sameAsLine('deduction-has-the-total', 'OP-29', 'redeemPoints', '/body/points', 'total', 'total'),
  callerTraceRule('record-has-the-customer', 'stated R11 G13', function* (trace) {
    for (const { at, order } of withLines(trace, 'saveRedeemDetails')) {
      // Version 2.0 orders name a `customer_id`. The interface does not state that it is the `uid`.
      if (order.operation === 'createRedemptionOrder')
        yield* observeSame(at, order, '/body/uid', `"${order.uid}", who ordered`, order.uid, at.uid);
    }
  }),
  callerTraceRule('sku-exactly-as-listed', 'stated A13 R3', function* (trace) {
    const listed = new Set(trace.of('listRewards', 'listCatalog').flatMap(({ facts }) => facts.items ?? []));
    const meant = new Map([...listed].map((sku) => [loosely(sku), sku]));
    for (const at of trace.of('createRedemptionOrder')) {
      for (const [index, sku] of (at.facts.skus ?? []).entries()) {
        const exact = meant.get(loosely(sku));
        if (exact === undefined) continue;
        const pointer = `/body/line_items/${index}/sku`;
        yield observe(at, [], listed.has(sku), pointer, `"${exact}", exactly as listed`, sku);
      }
    }
  }),
  hostTraceRule('lines-as-ordered', 'OP-06', function* (trace) {
    for (const at of trace.of(...placing)) {
      const { lines = [], skus = [] } = at.facts;
      if (!at.succeeded || lines.length === 0 || skus.length === 0) continue;
      const index = lines.findIndex(({ sku }) => sku !== undefined && !skus.includes(sku));
      const pointer = `/body/lines/${index}/sku_code`;
      yield observe(at, [], index < 0, pointer, 'an ordered item', lines[index]?.sku);
    }
  }),
  hostTraceRule('one-order-for-a-key', 'OP-20', function* (trace) {
    for (const [first, at] of repeats(trace)) {
      if (first.facts.body !== at.facts.body || !first.succeeded || !at.succeeded) continue;
      const { orderId } = first.facts;
      yield* observeSame(at, first, '/body/order_id', `"${orderId}", the order of this key`, orderId, at.facts.orderId);
    }
  }),
  hostTraceRule('one-body-for-a-key', 'OP-20', function* (trace) {
    for (const [first, at] of repeats(trace)) {
      if (at.status === undefined || first.facts.body === at.facts.body) continue;
      const expected = 'an error, since this Idempotency-Key was used with another body';
      yield observe(at, [first], !at.succeeded, '/status', expected, at.status);
    }
  }),
];

/** Yields pairs of orders with the same Idempotency-Key and the same token: the first order and each later one. */
function* repeats(trace: Trace): Generator<readonly [TraceEvent, TraceEvent]> {
  const keyed = trace
    .of(...placing)
    .filter(({ facts, token }) => facts.idempotencyKey !== undefined && token !== undefined);
  const groups = Map.groupBy(keyed, ({ operation, token, facts }) => `${operation} ${token} ${facts.idempotencyKey}`);
  for (const [first, ...others] of groups.values()) {
    for (const at of others) if (first !== undefined) yield [first, at];
  }
}

/** Normalizes a SKU, so that differences in case and separators do not matter. */
function loosely(sku: string): string {
  return sku.toLowerCase().replaceAll(/[\s_-]/g, '');
}
