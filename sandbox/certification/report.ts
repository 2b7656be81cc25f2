/** The outcome and the figures of a report (OP-169), and its conclusion with regard to known failures (OP-173). */
import { type Failure, inTime, type Report, type RequirementVerdict, type VerdictWord } from './verdict.ts';

/**
 * Returns the outcome of all verdicts. A run fails if a `must` failed, or is blocked while responses are missing: a
 * silent server must not pass as untested. A run is partial if another `must` was not tested, or if none passed.
 */
export function outcomeOf(verdicts: readonly Judged[]): Report['outcome'] {
  const musts = verdicts.filter(({ level }) => level === 'must');
  const has = (word: VerdictWord) => musts.some(({ verdict }) => verdict === word);
  if (verdicts.some(({ verdict }) => verdict === 'suite_error')) return 'suite_error';
  if (has('fail') || isSilenced(verdicts)) return 'failed';
  return has('blocked') || has('not_selected') || !has('pass') ? 'partial' : 'passed';
}

type Judged = Pick<RequirementVerdict, 'id' | 'level' | 'verdict'>;

/** Returns whether a `must` is blocked in a run with missing responses. */
function isSilenced(verdicts: readonly Judged[]): boolean {
  const isBlocked = verdicts.some(({ level, verdict }) => level === 'must' && verdict === 'blocked');
  return isBlocked && verdicts.some(({ id, verdict }) => id === inTime && verdict === 'fail');
}

/** Returns the numbers of tested and applicable requirements, by level. */
export function coverageOf(verdicts: readonly Judged[]): Report['coverage'] {
  const share = (level: RequirementVerdict['level']) => {
    const applicable = verdicts.filter((found) => found.level === level && found.verdict !== 'not_applicable');
    const judged = applicable.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail');
    return { judged: judged.length, of: applicable.length };
  };
  return { mandatory: share('must'), recommended: share('should') };
}

/** Counts the requirements with each verdict. */
export function countsOf(verdicts: readonly RequirementVerdict[]): Report['counts'] {
  const counts = { pass: 0, fail: 0, blocked: 0, not_applicable: 0, not_selected: 0, suite_error: 0 };
  for (const { verdict } of verdicts) counts[verdict] += 1;
  return counts;
}

/** Maximum size of a stored report as JSON, in bytes. */
export const mostReportBytes = 512 * 1024;
/** Maximum length of a string that may contain server data, in characters. */
const mostText = 500;

/** Reduces a report to the maximum size. Returns it with the number of exchanges omitted from its failures. */
export function boundedReport(report: Report): { readonly report: Report; readonly exchangesLeftOut: number } {
  const bounded = {
    ...report,
    problem: cut(report.problem),
    verdicts: report.verdicts.map((verdict) => ({ ...verdict, reason: cut(verdict.reason) })),
    failures: report.failures.map((failure) => {
      const { message, expected, actual, pointer } = failure;
      return { ...failure, message: cut(message), expected: cut(expected), actual: cut(actual), pointer: cut(pointer) };
    }),
    notes: report.notes.map(cut),
  };
  const bare = bounded.failures.map((each) => ({ ...each, exchanges: [] }));
  let room = mostReportBytes - bytes({ ...bounded, failures: bare });
  let exchangesLeftOut = 0;
  const fits = (exchange: unknown): boolean => {
    const size = bytes(exchange) + 1;
    const fit = size <= room;
    if (fit) room -= size;
    else exchangesLeftOut += 1;
    return fit;
  };
  // Add the last exchange first, because it is the deciding one.
  const fitting = ({ exchanges }: Failure) => exchanges.toReversed().filter(fits).toReversed();
  const failures = bounded.failures.map((failure) => ({ ...failure, exchanges: fitting(failure) }));
  return { report: { ...bounded, failures }, exchangesLeftOut };
}

function cut<T extends string | null>(text: T): T {
  return text !== null && text.length > mostText ? (`${text.slice(0, mostText)}...` as T) : text;
}

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** A requirement that is expected to fail, and the reason. */
export interface KnownFailure {
  readonly id: string;
  readonly reason: string;
}

/** The verdicts that determine whether a run succeeded. */
export type Conclusion = Readonly<ReturnType<typeof conclude>>;

/** Evaluates the verdicts of a run against a baseline. Failures of this level and above count. */
export function conclude({ verdicts }: Report, weight: RequirementVerdict['level'], baseline: readonly KnownFailure[]) {
  const counts = ({ id, level }: RequirementVerdict) =>
    level === 'must' || weight === 'should' || (id === inTime && isSilenced(verdicts));
  const ids = new Set(baseline.map(({ id }) => id));
  const failing = verdicts.filter(({ verdict }) => verdict === 'fail');
  const failed = failing.filter((found) => counts(found) && !ids.has(found.id));
  const minor = failing.filter((found) => !counts(found) && !ids.has(found.id));
  const blocked = verdicts.filter(({ verdict }) => verdict === 'blocked');
  const blocks = (by: readonly RequirementVerdict[], { blocked_by }: RequirementVerdict) =>
    by.some(({ id }) => id === blocked_by);
  return {
    /** Failures that count and are not in the baseline. */
    failed,
    /** Failures of recommended requirements that do not count and are not in the baseline. */
    minor,
    /** Failures that are in the baseline. */
    expected: failing.filter(({ id }) => ids.has(id)),
    /** Requirements in the baseline that now pass. */
    fixed: verdicts.filter(({ id, verdict }) => verdict === 'pass' && ids.has(id)),
    /** Blocked requirements that count, are not in the baseline and were not blocked by a failure. */
    stuck: blocked.filter((found) => counts(found) && !blocks(failing, found) && !ids.has(found.id)),
    /** Every `must` that was not selected, or was blocked by a failure that does not count. */
    unjudged: verdicts.filter(
      (found) => found.level === 'must' && (found.verdict === 'not_selected' || blocks(minor, found)),
    ),
  };
}
