/** Verdicts of requirements, also for probes that threw. */

import type { Requirement } from './requirement.ts';
import { Blocked, MissingInput, NotApplicable, type RequirementVerdict, Unmet } from './verdict.ts';

/** A verdict of a requirement. */
export function verdictOf(
  { id, title, group, operation, aspect, basis, level }: Requirement,
  verdict: RequirementVerdict['verdict'],
  reason: string | null = null,
  { option = null, blockedBy = null }: { readonly option?: string | null; readonly blockedBy?: string | null } = {},
): RequirementVerdict {
  return { id, title, group, operation, aspect, basis, level, verdict, reason, option, blocked_by: blockedBy };
}

/** The verdict of a probe that did not return. */
export function verdictOfError(
  requirement: Requirement,
  error: Error,
  hide: (text: string) => string,
): RequirementVerdict {
  if (error instanceof Unmet) return verdictOf(requirement, 'fail');
  const reason = hide(error.message);
  if (error instanceof Blocked)
    return verdictOf(requirement, 'blocked', reason, { blockedBy: error.needed[0] ?? null });
  if (error instanceof NotApplicable) return verdictOf(requirement, 'not_applicable', reason);
  if (error instanceof MissingInput) return verdictOf(requirement, 'not_selected', reason, { option: error.option });
  return verdictOf(requirement, 'suite_error', reason);
}
