import type { Conclusion } from '../certification/baseline.ts';
import { firstIds, remedyOf, unjudgedMandatory } from '../certification/reports/words.ts';
import type { Report, RequirementVerdict } from '../certification/verdict.ts';
import { count } from '../conformance/report-words.ts';

/** What `certify` ends with (OP-173). */
export const exitCodes = {
  holds: 0,
  failed: 1,
  usage: 2,
  environment: 3,
  suiteError: 4,
  partial: 5,
  interrupted: 130,
} as const;

/** How a run ended: the exit code, and why. */
export interface Ending {
  readonly code: number;
  readonly text: string;
}

/** How a run ended. A partial run ends well only where that is allowed. */
export function endingOf(report: Report, conclusion: Conclusion, allowPartial = false): Ending {
  const { outcome, problem, counts } = report;
  if (outcome === 'interrupted')
    return { code: exitCodes.interrupted, text: 'Interrupted: the run is incomplete, so there is no certificate.' };
  if (outcome === 'environment') return { code: exitCodes.environment, text: `The run could not start. ${problem}` };
  if (outcome === 'suite_error')
    return {
      code: exitCodes.suiteError,
      text: `Internal error in ${count(counts.suite_error, 'requirement')}; this is not a fault of your server: ${ids(report.verdicts.filter(({ verdict }) => verdict === 'suite_error'))}.`,
    };
  const { failed, fixed, stuck, expected, minor } = conclusion;
  if (failed.length > 0)
    return {
      code: exitCodes.failed,
      text: sentences(`${failures([...failed, ...minor])}: ${ids([...failed, ...minor])}.`, unjudged(conclusion)),
    };
  if (fixed.length > 0)
    return { code: exitCodes.failed, text: `Known failures now pass. Remove them from the baseline: ${ids(fixed)}.` };
  if (stuck.length > 0)
    return {
      code: exitCodes.failed,
      text: `${count(stuck.length, 'requirement')} could not be checked, and no failure explains why: ${ids(stuck)}.`,
    };
  if (counts.pass + expected.length === 0)
    return {
      code: exitCodes.environment,
      text: 'Nothing was checked. Provide what the requirements need; --list shows it.',
    };
  return endingOfPass(conclusion, allowPartial);
}

/** The ending of a run without a failure that counts. */
function endingOfPass(conclusion: Conclusion, allowPartial: boolean): Ending {
  const { expected, minor } = conclusion;
  const except = expected.length > 0 ? `, except for known failures: ${ids(expected)}` : '';
  const others = minor.length > 0 ? `${failures(minor)}: ${ids(minor)}.` : '';
  const left = unjudged(conclusion);
  if (left === '')
    return {
      code: exitCodes.holds,
      text: sentences(`All applicable mandatory requirements passed${except}.`, others),
    };
  return {
    code: allowPartial ? exitCodes.holds : exitCodes.partial,
    text: sentences(
      `Partial: all checked mandatory requirements passed${except}, but ${left}`,
      others,
      allowPartial ? '' : 'Use --allow-partial to accept a partial run.',
    ),
  };
}

/** Which mandatory requirements were not judged, and what to give for that; empty where all were. */
function unjudged({ unjudged: left }: Conclusion): string {
  if (left.length === 0) return '';
  const were = left.length === 1 ? 'was' : 'were';
  const blocked = left.filter(({ verdict }) => verdict === 'blocked');
  return sentences(
    `${count(left.length, 'mandatory requirement')} ${were} not checked.`,
    remedyOf(unjudgedMandatory(left)),
    blocked.length > 0 ? `Blocked by failed recommended requirements: ${ids(blocked)}.` : '',
  );
}

/** Such as `9 mandatory and 4 recommended requirements failed`. */
function failures(all: readonly RequirementVerdict[]): string {
  const levels = [
    ['mandatory', all.filter(({ level }) => level === 'must').length],
    ['recommended', all.filter(({ level }) => level === 'should').length],
  ] as const;
  const shares = levels.filter(([, number]) => number > 0).map(([name, number]) => `${number} ${name}`);
  return `${shares.join(' and ')} ${all.length === 1 ? 'requirement' : 'requirements'} failed`;
}

function ids(verdicts: readonly RequirementVerdict[]): string {
  return firstIds(verdicts.map(({ id }) => id));
}

function sentences(...all: readonly string[]): string {
  return all.filter((sentence) => sentence !== '').join(' ');
}
