import { type JunitCase, junitXml } from '../../conformance/report-junit.ts';
import { entryOf } from '../causes.ts';
import { coverageWords, remedyOf, unjudgedMandatory } from '../report-text.ts';
import type { Failure, Report, RequirementVerdict } from '../verdict.ts';

/**
 * The report as JUnit XML: a suite for each group, a case for each requirement, named by its id and title. A `should`
 * that does not hold passes with output, unless `failOn` says `should`; what was not judged is skipped, a blocked one too.
 * A last case is about coverage.
 */
export function junitReport(
  report: Report,
  failOn: 'must' | 'should' = 'must',
  { allowPartial = false }: { readonly allowPartial?: boolean } = {},
): string {
  const cases = report.verdicts.map((verdict) => ({
    suite: verdict.group,
    className: `certify.${verdict.group}`,
    name: `${verdict.id} ${verdict.title}`,
    ...outcomeOf(verdict, entryOf(report.failures, verdict.id), failOn),
  }));
  return junitXml([...cases, coverageCase(report, allowPartial)]);
}

type Outcome = Pick<JunitCase, 'failure' | 'error' | 'isSkipped' | 'output'>;

function outcomeOf(verdict: RequirementVerdict, failure: Failure | undefined, failOn: 'must' | 'should'): Outcome {
  switch (verdict.verdict) {
    case 'pass':
      return {};
    case 'fail': {
      const details = failure ? lines(failure) : '';
      if (verdict.level === 'must' || failOn === 'should')
        return { failure: { message: messageOf(verdict, failure), type: verdict.basis, details } };
      return { output: `should: ${failure ? details : verdict.title}` };
    }
    case 'suite_error':
      return { error: verdict.reason ?? 'internal error in the suite' };
    default:
      return { output: reasonOf(verdict), isSkipped: true };
  }
}

function reasonOf({ reason, option, verdict }: RequirementVerdict): string {
  return option === null ? (reason ?? verdict) : `${reason} To check it: ${option}.`;
}

/** A case that fails where the run was partial, and is skipped where that was allowed. */
function coverageCase({ coverage, verdicts }: Report, allowPartial: boolean): JunitCase {
  const name = 'All applicable mandatory requirements were checked';
  const test = { suite: 'coverage', className: 'certify.coverage', name };
  const { judged, of } = coverage.mandatory;
  if (judged === of) return test;
  const words = `Partial: ${coverageWords(coverage)} were checked. ${remedyOf(unjudgedMandatory(verdicts))}`.trimEnd();
  return allowPartial
    ? { ...test, output: words, isSkipped: true }
    : { ...test, failure: { message: words, type: 'partial' } };
}

/** The failure, and the requirement that reports it if both have one cause. */
function messageOf({ id, title }: RequirementVerdict, failure: Failure | undefined): string {
  if (failure === undefined) return title;
  return failure.requirement === id ? failure.message : `Same cause as ${failure.requirement}: ${failure.message}`;
}

function lines({ message, pointer, expected, actual, statement, contract, change, again, exchanges }: Failure): string {
  const calls = exchanges.map(({ curl, status, problem }) => `${curl}\n  -> ${status ?? problem}`);
  const place = `${pointer}: expected ${expected}, found ${actual}`;
  return [message, place, `based on ${statement}; ${contract.file}:${contract.line}`, change, again, ...calls].join(
    '\n',
  );
}
