/** Payments and the credits that follow from them. */
import { callerTraceRule, type Observation, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

/** A rule that a credit has a value of the payment with its transactionId. */
function asInPayment(id: string, pointer: string, read: (event: TraceEvent) => string | number | undefined): TraceRule {
  return callerTraceRule(id, 'OP-25', function* (trace) {
    const payments = trace.by('transactionId', 'sendPaymentEvent');
    for (const [transaction, credits] of trace.by('transactionId', 'creditPoints')) {
      const payment = payments.get(transaction)?.find((one) => one.succeeded && read(one) !== undefined);
      for (const at of credits) {
        if (payment === undefined || read(at) === undefined) continue;
        const issue = { pointer, expected: `${JSON.stringify(read(payment))}, as in the payment`, actual: read(at) };
        yield read(payment) === read(at) ? { at, with: [payment] } : { at, with: [payment], issue };
      }
    }
  });
}

/** A rule that calls with one transactionId are about one transaction. */
function oneTransaction(id: string, basis: string, operation: string): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    for (const [transaction, [first, ...others]] of trace.by('transactionId', operation)) {
      if (first === undefined) continue;
      yield { at: first };
      for (const at of others) {
        // What was refused changed nothing.
        const differs = [
          ['uid', first.uid, at.uid] as const,
          ['amount', first.facts.amount, at.facts.amount] as const,
          ['number of points', first.facts.points, at.facts.points] as const,
        ].find(([, one, other]) => one !== undefined && other !== undefined && one !== other);
        const expected = 'a unique id, or the same values again';
        const actual = `"${transaction}" with another ${differs?.[0]}`;
        const issue = { pointer: '/body/transactionId', expected, actual };
        yield differs === undefined ? { at, with: [first] } : { at, with: [first], issue };
      }
    }
  });
}

export const creditTraceRules: readonly TraceRule[] = [
  oneTransaction('transaction-credited-once', 'stated R20', 'creditPoints'),
  oneTransaction('transaction-paid-once', 'OP-25', 'sendPaymentEvent'),
  asInPayment('credit-for-the-customer', '/body/uid', ({ uid }) => uid),
  asInPayment('credit-for-the-amount', '/body/paymentAmount', ({ facts }) => facts.amount),
  asInPayment('credit-of-the-points', '/body/points', ({ facts }) => facts.points),
  callerTraceRule('credit-follows-its-payment', 'stated G8 M2', function* (trace) {
    const payments = trace.by('transactionId', 'sendPaymentEvent');
    for (const [transaction, credits] of trace.by('transactionId', 'creditPoints')) {
      const reported = payments.get(transaction) ?? [];
      for (const at of credits) yield* judgeOrder(trace, at, reported);
    }
  }),
];

/** Whether a credit came after its payment was reported; only a complete recording shows that it was not reported at all. */
function* judgeOrder(trace: Trace, at: TraceEvent, reported: readonly TraceEvent[]): Generator<Observation> {
  const isLate = reported.length > 0 && reported.every((payment) => trace.isBefore(at, payment));
  const expected = 'a payment reported earlier by the client';
  const actual = isLate ? 'a payment reported later' : 'a payment that was not reported';
  const issue = { pointer: '/body/transactionId', expected, actual };
  const first = reported.slice(0, 1);
  if (reported.length > 0 && !isLate) yield { at, with: first };
  else if (isLate && trace.complete) yield { at, with: first, issue };
  else if (trace.complete) yield { at, issue, absent: ['sendPaymentEvent'] };
}
