import type { Conclusion } from '../conformance/certification/baseline.ts';
import type { Report, RequirementVerdict } from '../conformance/certification/verdict.ts';
import { count } from '../conformance/report-words.ts';

/** What `certify` ends with (OP-173). */
export const exitCodes = { holds: 0, failed: 1, usage: 2, environment: 3, suiteError: 4, interrupted: 130 } as const;

/** How a run ended: the exit code, and why in one sentence. */
export interface Ending {
  readonly code: number;
  readonly text: string;
}

/** How a run ended. */
export function endingOf(report: Report, conclusion: Conclusion): Ending {
  const { outcome, problem, counts } = report;
  if (outcome === 'interrupted')
    return { code: exitCodes.interrupted, text: 'Interrupted: this is part of a run, and no certificate.' };
  if (outcome === 'environment') return { code: exitCodes.environment, text: `The run could not begin. ${problem}` };
  if (outcome === 'suite_error')
    return {
      code: exitCodes.suiteError,
      text: `This suite broke in ${count(counts.suite_error, 'requirement')}, which says nothing about the server: ${ids(report.verdicts.filter(({ verdict }) => verdict === 'suite_error'))}.`,
    };
  const { failed, mended, stuck, known, unjudged } = conclusion;
  if (failed.length > 0)
    return { code: exitCodes.failed, text: `${count(failed.length, 'requirement')} failed: ${ids(failed)}.` };
  if (mended.length > 0)
    return { code: exitCodes.failed, text: `Known failures hold now. Remove them from the baseline: ${ids(mended)}.` };
  if (stuck.length > 0)
    return { code: exitCodes.failed, text: `What could not be judged does not hold: ${ids(stuck)}.` };
  if (counts.pass + known.length === 0)
    return {
      code: exitCodes.environment,
      text: 'Nothing was judged. Give what the requirements need; --list says what.',
    };
  const partial = unjudged.length > 0;
  const but = known.length > 0 ? `, but for what is known to fail: ${ids(known)}` : '';
  const text = partial
    ? `What was judged holds${but}. It was a partial run, without ${count(unjudged.length, 'requirement')} that must hold.`
    : `Every requirement that must hold and applies here holds${but}.`;
  return { code: exitCodes.holds, text };
}

/** At most ten ids. */
function ids(verdicts: readonly RequirementVerdict[]): string {
  const shown = verdicts.slice(0, 10).map(({ id }) => id);
  return [...shown, ...(verdicts.length > 10 ? [`and ${verdicts.length - 10} more`] : [])].join(', ');
}
