import { isStated } from '../../contract/basis.ts';
import type { CheckedOperation } from '../contracts.ts';
import type { Finding } from '../finding.ts';
import { callerTraceRule, type Observation, type Party, type TraceRule, traceFinding } from './rule.ts';
import { Trace, type TraceNature } from './trace.ts';
import type { TraceEvent } from './trace-event.ts';
import { balanceTraceRules } from './trace-rules/balances.ts';
import { creditTraceRules } from './trace-rules/credits.ts';
import { cursorRules } from './trace-rules/cursors.ts';
import { orderTraceRules } from './trace-rules/orders.ts';
import { redemptionTraceRules } from './trace-rules/redemptions.ts';
import { signInTraceRules } from './trace-rules/sign-in.ts';
import { tokenRules } from './trace-rules/tokens.ts';
import { versionTraceRules } from './trace-rules/versions.ts';
import { voucherTraceRules } from './trace-rules/vouchers.ts';

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
      yield over < 0 || first === undefined ? { at } : { at, with: [first], issue };
    }
  });
}

function startOf({ span }: TraceEvent): number {
  return span?.start ?? 0;
}

const limitTraceRules: readonly TraceRule[] = [
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

/** Every rule over a whole recording. */
export const traceRules: readonly TraceRule[] = [
  ...tokenRules,
  ...cursorRules,
  ...signInTraceRules,
  ...orderTraceRules,
  ...redemptionTraceRules,
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

/**
 * Judges a recording by every trace rule. Operations that `operationOf` does not know are passed over, and so is what
 * rests on an exchange that the other side got wrong.
 */
export function judgeTrace(
  events: readonly TraceEvent[],
  nature: TraceNature,
  operationOf: (operationId: string) => CheckedOperation | undefined,
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
    if (isDoubtful || absent.some((missing) => doubtful.has(missing))) return [];
    return [{ rule, observed, finding: traceFinding(rule, issue, at, operation) }];
  });
}
