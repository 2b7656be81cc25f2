/** Known failures of a server, and what a run ends with under them (OP-173). */
import type { Report, RequirementVerdict } from './verdict.ts';

/** A requirement that is expected to fail, and why. */
export interface KnownFailure {
  readonly id: string;
  readonly reason: string;
}

/** What decides whether a run ends well. */
export interface Conclusion {
  /** Failures that count and that the baseline does not list. */
  readonly failed: readonly RequirementVerdict[];
  /** Failures that the baseline lists. */
  readonly expected: readonly RequirementVerdict[];
  /** Requirements of the baseline that pass now. */
  readonly fixed: readonly RequirementVerdict[];
  /** Selected requirements that were blocked, but not by a failure or by the baseline. */
  readonly stuck: readonly RequirementVerdict[];
  /** Failures that do not count: recommended ones, where only mandatory ones do. */
  readonly minor: readonly RequirementVerdict[];
  /** Every `must` that was not selected, or that only a failure which does not count holds up. */
  readonly unjudged: readonly RequirementVerdict[];
}

/** What the verdicts of a run mean, where failures of this weight and above count. */
export function conclude(
  { verdicts }: Report,
  weight: RequirementVerdict['level'],
  baseline: readonly KnownFailure[],
): Conclusion {
  const counts = ({ level }: RequirementVerdict) => level === 'must' || weight === 'should';
  const ids = new Set(baseline.map(({ id }) => id));
  const failing = verdicts.filter(({ verdict }) => verdict === 'fail');
  const failed = failing.filter((found) => counts(found) && !ids.has(found.id));
  const minor = failing.filter((found) => !counts(found) && !ids.has(found.id));
  const blocks = (by: readonly RequirementVerdict[], blockedBy: string | null) => by.some(({ id }) => id === blockedBy);
  return {
    failed,
    minor,
    expected: failing.filter(({ id }) => ids.has(id)),
    fixed: verdicts.filter(({ id, verdict }) => verdict === 'pass' && ids.has(id)),
    stuck: verdicts.filter(
      (found) =>
        found.verdict === 'blocked' && counts(found) && !blocks(failing, found.blocked_by) && !ids.has(found.id),
    ),
    unjudged: verdicts.filter(
      ({ level, verdict, blocked_by }) =>
        level === 'must' && (verdict === 'not_selected' || (verdict === 'blocked' && blocks(minor, blocked_by))),
    ),
  };
}
