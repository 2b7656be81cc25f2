/** Known failures of a server, and what a run ends with under them (OP-173). */
import type { Report, RequirementVerdict } from './verdict.ts';

/** A requirement that is known to fail, and why. */
export interface KnownFailure {
  readonly id: string;
  readonly reason: string;
}

/** What decides whether a run ends well. */
export interface Conclusion {
  /** Failures that count and that nobody knew of. */
  readonly failed: readonly RequirementVerdict[];
  /** Failures that were known. */
  readonly known: readonly RequirementVerdict[];
  /** Known failures that hold now. */
  readonly mended: readonly RequirementVerdict[];
  /** What was selected and could not be judged, and hangs on nothing that is failed or known. */
  readonly stuck: readonly RequirementVerdict[];
  /** Every `must` that was left out, or lacks what it needs. */
  readonly unjudged: readonly RequirementVerdict[];
}

/** What the verdicts of a run mean, where failures of this weight and above count. */
export function concluded(
  { verdicts }: Report,
  weight: RequirementVerdict['level'],
  baseline: readonly KnownFailure[],
): Conclusion {
  const counts = ({ level }: RequirementVerdict) => level === 'must' || weight === 'should';
  const ids = new Set(baseline.map(({ id }) => id));
  const failing = verdicts.filter(({ verdict }) => verdict === 'fail');
  const told = new Set(failing.map(({ id }) => id));
  return {
    failed: failing.filter((found) => counts(found) && !ids.has(found.id)),
    known: failing.filter(({ id }) => ids.has(id)),
    mended: verdicts.filter(({ id, verdict }) => verdict === 'pass' && ids.has(id)),
    stuck: verdicts.filter(
      (found) =>
        found.verdict === 'blocked' && counts(found) && !told.has(found.blocked_by ?? '') && !ids.has(found.id),
    ),
    unjudged: verdicts.filter(({ level, verdict }) => level === 'must' && verdict === 'not_selected'),
  };
}
