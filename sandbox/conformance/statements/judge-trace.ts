import { isStated } from '../../contract/basis.ts';
import { outgoingTerms } from '../../http-client/outgoing.ts';
import type { CheckedOperation } from '../contracts.ts';
import type { Finding } from '../finding.ts';
import { basisOfAddress } from '../flaw-basis.ts';
import { callerTraceRule, hostTraceRule, type Observation, type Party, type TraceRule, traceFinding } from './rule.ts';
import { Trace, type TraceNature } from './trace.ts';
import type { TraceEvent } from './trace-event.ts';
import { balanceTraceRules } from './trace-rules/balances.ts';
import { cursorRules } from './trace-rules/cursors.ts';
import { orderTraceRules } from './trace-rules/orders.ts';
import { outcomeTraceRules } from './trace-rules/outcomes.ts';
import { redemptionTraceRules } from './trace-rules/redemptions.ts';
import { signInTraceRules } from './trace-rules/sign-in.ts';
import { tokenRules } from './trace-rules/tokens.ts';
import { versionTraceRules } from './trace-rules/versions.ts';
import { voucherTraceRules } from './trace-rules/vouchers.ts';
import { worldsOf } from './worlds.ts';

const hour = 3_600_000;
const quota = 1000;

/**
 * A rule that a token is not used for more calls within an hour. Where the hour begins is not stated: within any 60 minutes
 * even hours that begin at the worst moment allow twice the quota.
 */
function callsAnHour(id: string, basis: string, most: number): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    const calls = trace.events.filter(
      ({ server, token, succeeded, span }) =>
        (server === 'rewards' || server === 'general') && token !== undefined && succeeded && span !== undefined,
    );
    for (const ofToken of Map.groupBy(calls, ({ server, token }) => `${server} ${token}`).values()) {
      const sorted = ofToken.toSorted((one, other) => startOf(one) - startOf(other));
      const over = sorted.findIndex((at, index) => {
        const first = sorted[index - most];
        return first !== undefined && startOf(at) - startOf(first) < hour;
      });
      const [at, first] = [sorted[over] ?? sorted.at(-1), sorted[over - most]];
      if (at === undefined) continue;
      const expected = `at most ${quota} calls per hour with one key`;
      const issue = { pointer: '/headers/authorization', expected, actual: `more than ${most} within 60 minutes` };
      const mostWithin = sorted.some(
        (at, index) => startOf(at) - startOf(sorted[index - quota + 1] ?? at) < hour && index >= quota - 1,
      );
      if (over >= 0 && first !== undefined) yield { at, with: [first], issue };
      else if (mostWithin) yield { at };
    }
  });
}

function startOf({ span }: TraceEvent): number {
  return span?.start ?? 0;
}

/** Milliseconds that the platform waits for an answer of the client (OP-24). */
const { totalTimeout: patience } = outgoingTerms;

/** Operations of the client that the platform does not call (D1). */
const signIns: readonly string[] = ['generateOtp', 'verifyOtp'];

const limitTraceRules: readonly TraceRule[] = [
  hostTraceRule('answered-in-half-the-time', 'OP-24', function* (trace) {
    for (const at of trace.events) {
      if (at.server !== 'client' || signIns.includes(at.operation)) continue;
      if (at.span === undefined || at.status === undefined) continue;
      const took = at.span.end - at.span.start;
      const issue = {
        pointer: '/time',
        expected: `at most ${patience / 2} ms, half of what is waited`,
        actual: `${took} ms`,
      };
      yield took <= patience / 2 ? { at } : { at, issue };
    }
  }),
  callerTraceRule('webhook-registered-once', 'OP-26', function* (trace) {
    const deletions = trace.of('deleteWebhook');
    for (const all of trace.by('webhook', 'registerWebhook').values()) {
      const made = all.filter(({ succeeded }) => succeeded);
      for (const [index, at] of made.entries()) {
        const before = made[index - 1];
        const isRepeated =
          at.facts.idempotencyKey !== undefined && at.facts.idempotencyKey === before?.facts.idempotencyKey;
        const isFree =
          before === undefined || deletions.some(({ number }) => number > before.number && number < at.number);
        const issue = {
          pointer: '/body/url',
          expected: 'an address that is not registered',
          actual: 'a registered one',
        };
        if (isFree || isRepeated) yield { at };
        else yield { at, with: [before], issue };
      }
    }
  }),
  callsAnHour('calls-an-hour', 'stated L1', 2 * quota),
  callsAnHour('calls-in-sixty-minutes', 'OP-30', quota),
  callerTraceRule('one-message-for-a-webhook-id', 'OP-26', function* (trace) {
    for (const [id, [first, ...others]] of trace.by('messageId', 'catalogueUpdated')) {
      if (first === undefined) continue;
      yield { at: first };
      for (const at of others) {
        if (first.facts.body === undefined || at.facts.body === undefined) continue;
        const issue = { pointer: '/headers/webhook-id', expected: 'a unique id, or the same body', actual: id };
        yield first.facts.body === at.facts.body ? { at, with: [first] } : { at, with: [first], issue };
      }
    }
  }),
];

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
    const groups = trace.by('transactionId', operation);
    for (const [transaction, [first, ...others]] of groups) {
      if (first === undefined) continue;
      if (groups.size > 1) yield { at: first };
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

const creditTraceRules: readonly TraceRule[] = [
  oneTransaction('transaction-credited-once', 'stated R20', 'creditPoints'),
  oneTransaction('transaction-paid-once', 'OP-25', 'sendPaymentEvent'),
  asInPayment('credit-for-the-customer', '/body/uid', ({ uid }) => uid),
  asInPayment('credit-for-the-amount', '/body/paymentAmount', ({ facts }) => facts.amount),
  asInPayment('credit-of-the-points', '/body/points', ({ facts }) => facts.points),
  hostTraceRule('payment-is-credited', 'stated G8 M2', function* (trace) {
    const credits = trace.by('transactionId', 'creditPoints');
    for (const at of trace.complete ? trace.of('sendPaymentEvent') : []) {
      const { transactionId = '', points } = at.facts;
      if (!at.succeeded || transactionId === '' || points === 0) continue;
      const issue = { pointer: '/body/transactionId', expected: 'a call of creditPoints', actual: transactionId };
      yield credits.has(transactionId) ? { at } : { at, issue, absent: ['creditPoints'] };
    }
  }),
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

/** Every rule over a whole recording. */
export const traceRules: readonly TraceRule[] = [
  ...tokenRules,
  ...cursorRules,
  ...signInTraceRules,
  ...orderTraceRules,
  ...redemptionTraceRules,
  ...outcomeTraceRules,
  ...balanceTraceRules,
  ...creditTraceRules,
  ...voucherTraceRules,
  ...versionTraceRules,
  ...limitTraceRules,
];

/** One thing that a rule observed, with the finding where the rule was broken. */
interface TraceVerdict {
  readonly rule: TraceRule;
  readonly observed: Observation;
  readonly finding: Finding | undefined;
}

/** A side of the interface: the same party is the caller of one operation and the host of another. */
type Side = string;

/** Checks a recording by every trace rule: each world of it by itself. */
export function judgeTrace(
  events: readonly TraceEvent[],
  nature: TraceNature,
  operationOf: (operationId: string) => CheckedOperation | undefined,
): readonly TraceVerdict[] {
  const worlds = worldsOf(events);
  return worlds.flatMap((world) => {
    const hosts = new Set(world.map(({ operation }) => operationOf(operation)?.hostedBy));
    // In one of several worlds, the calls to a host that got none may be those at an address of another.
    const isElsewhere = (id: string) => worlds.length > 1 && !hosts.has(operationOf(id)?.hostedBy);
    return judgeWorld(world, nature, operationOf, isElsewhere);
  });
}

/**
 * Checks one world by every trace rule. Operations that `operationOf` does not know are passed over, and so is what
 * rests on an exchange that the other side got wrong.
 */
function judgeWorld(
  events: readonly TraceEvent[],
  nature: TraceNature,
  operationOf: (operationId: string) => CheckedOperation | undefined,
  isElsewhere: (operationId: string) => boolean,
): readonly TraceVerdict[] {
  const trace = new Trace(events, nature);
  const sideOf = ({ operation }: TraceEvent, party: Party): Side => {
    const host = operationOf(operation)?.hostedBy ?? 'nobody';
    return party === 'host' ? host : host === 'client' ? 'platform' : 'client';
  };
  const all = traceRules.flatMap((rule) =>
    [...rule.observe(trace)]
      .filter(({ at }) => operationOf(at.operation) !== undefined)
      .map((observed) => ({ rule, observed })),
  );
  const blamed = new Map<TraceEvent, Set<Side>>();
  const blame = (event: TraceEvent, side: Side) => blamed.set(event, (blamed.get(event) ?? new Set()).add(side));
  for (const event of events) {
    if (event.faulty.caller) blame(event, sideOf(event, 'caller'));
    if (event.faulty.host) blame(event, sideOf(event, 'host'));
  }
  /** Whether calls of an operation may be among those that the interface does not name. */
  const mayBeElsewhere = (id: string) => {
    const operation = operationOf(id);
    if (isElsewhere(id)) return true;
    return nature.hasOutside === true && operation !== undefined && !isStated(basisOfAddress(operation));
  };
  const doubtful = new Set([...blamed.keys()].map(({ operation }) => operation));
  for (const { rule, observed } of all) {
    // Neither a broken assumption nor the absence of a call puts an exchange in doubt.
    if (observed.issue !== undefined && observed.absent === undefined && isStated(rule.basis))
      blame(observed.at, sideOf(observed.at, rule.party));
  }
  return all.flatMap(({ rule, observed }): TraceVerdict[] => {
    const { at, with: others = [], issue, absent = [] } = observed;
    const operation = operationOf(at.operation);
    if (issue === undefined || operation === undefined) return [{ rule, observed, finding: undefined }];
    const side = sideOf(at, rule.party);
    const isDoubtful = [at, ...others].some((event) => [...(blamed.get(event) ?? [])].some((other) => other !== side));
    if (isDoubtful || absent.some((missing) => doubtful.has(missing) || mayBeElsewhere(missing))) return [];
    return [{ rule, observed, finding: traceFinding(rule, issue, at, operation) }];
  });
}
