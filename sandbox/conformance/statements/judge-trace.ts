import { isStated } from '../../contract/basis.ts';
import { outgoingTerms } from '../../http-client/outgoing.ts';
import type { OperationOf } from '../contracts.ts';
import type { Finding } from '../finding.ts';
import { basisOfAddress } from '../flaw-basis.ts';
import {
  callerTraceRule,
  hostTraceRule,
  type Observation,
  observe,
  observeSame,
  type Party,
  ruleFinding,
  type TraceRule,
} from './rule.ts';
import { Trace, type TraceNature, worldsOf } from './trace.ts';
import type { TraceEvent } from './trace-event.ts';
import { balanceTraceRules } from './trace-rules/balances.ts';
import { cursorRules } from './trace-rules/cursors.ts';
import { orderTraceRules } from './trace-rules/orders.ts';
import { outcomeTraceRules, versionTraceRules } from './trace-rules/outcomes.ts';
import { redemptionTraceRules } from './trace-rules/redemptions.ts';
import { signInTraceRules } from './trace-rules/sign-in.ts';
import { tokenRules } from './trace-rules/tokens.ts';
import { voucherTraceRules } from './trace-rules/vouchers.ts';

const hour = 3_600_000;
const quota = 1000;

/**
 * Creates a rule that permits at most `most` calls with one token within 60 minutes. The interface does not state when an hour
 * begins, so a caller may spend two quotas within 60 minutes.
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
      const issue = ['/headers/authorization', expected, `more than ${most} within 60 minutes`] as const;
      const mostWithin = sorted.some(
        (at, index) => startOf(at) - startOf(sorted[index - quota + 1] ?? at) < hour && index >= quota - 1,
      );
      if (over >= 0 && first !== undefined) yield observe(at, [first], false, ...issue);
      else if (mostWithin) yield { at };
    }
  });
}

function startOf({ span }: TraceEvent): number {
  return span?.start ?? 0;
}

/** Milliseconds that the platform waits for a reply from the client (OP-24). */
const { totalTimeout: patience } = outgoingTerms;

/** Operations of the client that the platform does not call (D1). */
const signIns: readonly string[] = ['generateOtp', 'verifyOtp'];

const limitTraceRules: readonly TraceRule[] = [
  hostTraceRule('answered-in-half-the-time', 'OP-24', function* (trace) {
    for (const at of trace.events) {
      if (at.server !== 'client' || signIns.includes(at.operation)) continue;
      if (at.span === undefined || at.status === undefined) continue;
      const took = at.span.end - at.span.start;
      const expected = `at most ${patience / 2} ms, half of what is waited`;
      yield observe(at, [], took <= patience / 2, '/time', expected, `${took} ms`);
    }
  }),
  callerTraceRule('webhook-registered-once', 'OP-26', function* (trace) {
    const deletions = trace.of('deleteWebhook');
    for (const all of trace.by('webhook', 'registerWebhook').values()) {
      const made = all.filter(({ succeeded }) => succeeded);
      for (const [index, at] of made.entries()) {
        const before = made[index - 1];
        const { idempotencyKey } = at.facts;
        const isRepeated = idempotencyKey !== undefined && idempotencyKey === before?.facts.idempotencyKey;
        const isFree =
          before === undefined || deletions.some(({ number }) => number > before.number && number < at.number);
        const texts = ['an address that is not registered', 'a registered one'] as const;
        yield observe(at, before === undefined ? [] : [before], isFree || isRepeated, '/body/url', ...texts);
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
        const isSame = first.facts.body === at.facts.body;
        yield observe(at, [first], isSame, '/headers/webhook-id', 'a unique id, or the same body', id);
      }
    }
  }),
];

/** Creates a rule that a credit repeats a value of the payment with the same transactionId. */
function asInPayment(id: string, pointer: string, read: (event: TraceEvent) => string | number | undefined): TraceRule {
  return callerTraceRule(id, 'OP-25', function* (trace) {
    const payments = trace.by('transactionId', 'sendPaymentEvent');
    for (const [transaction, credits] of trace.by('transactionId', 'creditPoints')) {
      const payment = payments.get(transaction)?.find((one) => one.succeeded && read(one) !== undefined);
      const wanted = payment && read(payment);
      const expected = `${JSON.stringify(wanted)}, as in the payment`;
      for (const at of credits) yield* observeSame(at, payment, pointer, expected, wanted, read(at));
    }
  });
}

/** Creates a rule that calls with the same transactionId are about the same transaction. */
function oneTransaction(id: string, basis: string, operation: string): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    const groups = trace.by('transactionId', operation);
    for (const [transaction, [first, ...others]] of groups) {
      if (first === undefined) continue;
      if (groups.size > 1) yield { at: first };
      for (const at of others) {
        // Only values that both calls contain can differ.
        const differs = [
          ['uid', first.uid, at.uid] as const,
          ['amount', first.facts.amount, at.facts.amount] as const,
          ['number of points', first.facts.points, at.facts.points] as const,
        ].find(([, one, other]) => one !== undefined && other !== undefined && one !== other);
        const expected = 'a unique id, or the same values again';
        const actual = `"${transaction}" with another ${differs?.[0]}`;
        yield observe(at, [first], differs === undefined, '/body/transactionId', expected, actual);
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
      const issue = ['/body/transactionId', 'a call of creditPoints', transactionId] as const;
      yield observe(at, [], credits.has(transactionId), ...issue, ['creditPoints']);
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

/** Checks that a credit follows the report of its payment. Only a complete recording can show that the payment was never reported. */
function* judgeOrder(trace: Trace, at: TraceEvent, reported: readonly TraceEvent[]): Generator<Observation> {
  const isLate = reported.length > 0 && reported.every((payment) => trace.isBefore(at, payment));
  const isReported = reported.length > 0 && !isLate;
  const actual = isLate ? 'a payment reported later' : 'a payment that was not reported';
  const issue = ['/body/transactionId', 'a payment reported earlier by the client', actual] as const;
  const absent = isLate ? undefined : ['sendPaymentEvent'];
  if (isReported || trace.complete) yield observe(at, reported.slice(0, 1), isReported, ...issue, absent);
}

/** All trace rules: rules about a whole recording. */
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

/** An observation of a rule, with a finding if the rule was broken. */
interface TraceVerdict {
  readonly rule: TraceRule;
  readonly observed: Observation;
  readonly finding: Finding | undefined;
}

/** A side of the interface. One party is the caller of some operations and the host of others. */
type Side = string;

/** Checks each world of a recording separately against every trace rule. */
export function judgeTrace(events: readonly TraceEvent[], nature: TraceNature, operationOf: OperationOf) {
  const worlds = worldsOf(events);
  return worlds.flatMap((world) => {
    const hosts = new Set(world.map(({ operation }) => operationOf(operation)?.hostedBy));
    // If there are several worlds, missing calls to a host may belong to another world.
    const isElsewhere = (id: string) => worlds.length > 1 && !hosts.has(operationOf(id)?.hostedBy);
    return judgeWorld(world, nature, operationOf, isElsewhere);
  });
}

/**
 * Checks one world against every trace rule. Skips operations that `operationOf` does not know, and observations that depend on an
 * exchange in which the other side is at fault.
 */
function judgeWorld(
  events: readonly TraceEvent[],
  nature: TraceNature,
  operationOf: OperationOf,
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
  /** Returns whether calls of an operation may be among the unrecognized calls. */
  const mayBeElsewhere = (id: string) => {
    const operation = operationOf(id);
    if (isElsewhere(id)) return true;
    return nature.hasOutside === true && operation !== undefined && !isStated(basisOfAddress(operation));
  };
  const doubtful = new Set([...blamed.keys()].map(({ operation }) => operation));
  for (const { rule, observed } of all) {
    // A broken assumption or a missing call does not make an exchange doubtful.
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
    const { method, url, status = null, trace } = at;
    const call = { method, url, status, trace };
    return [{ rule, observed, finding: ruleFinding('trace', rule, issue, call, operation) }];
  });
}
