import { isStated } from '../../contract/basis.ts';
import type { CheckedOperation } from '../contracts.ts';
import type { Finding } from '../finding.ts';
import type { Observation, Party, TraceRule } from './rule.ts';
import { traceFinding } from './rule-finding.ts';
import { Trace, type TraceNature } from './trace.ts';
import type { TraceEvent } from './trace-event.ts';
import { balanceTraceRules } from './trace-rules/balances.ts';
import { creditTraceRules } from './trace-rules/credits.ts';
import { cursorRules } from './trace-rules/cursors.ts';
import { limitTraceRules } from './trace-rules/limits.ts';
import { orderTraceRules } from './trace-rules/orders.ts';
import { redemptionTraceRules } from './trace-rules/redemptions.ts';
import { signInTraceRules } from './trace-rules/sign-in.ts';
import { tokenRules } from './trace-rules/tokens.ts';
import { versionTraceRules } from './trace-rules/versions.ts';
import { voucherTraceRules } from './trace-rules/vouchers.ts';

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
