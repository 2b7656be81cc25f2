import type { CheckedOperation } from '../contracts.ts';
import type { Finding } from '../finding.ts';
import type { TraceRule } from './rule.ts';
import { traceFinding } from './rule-finding.ts';
import { Trace, type TraceNature } from './trace.ts';
import type { TraceEvent } from './trace-event.ts';
import { traceRules } from './trace-rules/trace-rules.ts';

/** One thing that a rule observed, with the finding where the rule was broken. */
export interface TraceVerdict {
  readonly rule: TraceRule;
  readonly at: TraceEvent;
  readonly with: readonly TraceEvent[];
  readonly finding: Finding | undefined;
}

/** Judges a recording by every trace rule. Operations that `operationOf` does not know are passed over. */
export function* judgeTrace(
  events: readonly TraceEvent[],
  nature: TraceNature,
  operationOf: (operationId: string) => CheckedOperation | undefined,
): Generator<TraceVerdict> {
  const trace = new Trace(events, nature);
  for (const rule of traceRules) {
    for (const { at, with: others = [], issue } of rule.observe(trace)) {
      const operation = operationOf(at.operation);
      if (operation === undefined) continue;
      const finding = issue && traceFinding(rule, issue, at, operation);
      yield { rule, at, with: others, finding };
    }
  }
}
