import { newBuilder } from '../../conformance/report-junit.ts';
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
  const builder = newBuilder();
  const suites = new Map<string, ReturnType<typeof builder.testSuite>>();
  for (const verdict of report.verdicts) {
    const suite = suites.get(verdict.group) ?? builder.testSuite().name(verdict.group);
    suites.set(verdict.group, suite);
    const test = suite.testCase().className(`certify.${verdict.group}`).name(`${verdict.id} ${verdict.title}`);
    tell(test, verdict, entryOf(report.failures, verdict.id), failOn);
  }
  tellCoverage(builder.testSuite().name('coverage').testCase(), report, allowPartial);
  return `${builder.build()}\n`;
}

type Case = ReturnType<ReturnType<ReturnType<typeof newBuilder>['testSuite']>['testCase']>;

function tell(test: Case, verdict: RequirementVerdict, failure: Failure | undefined, failOn: 'must' | 'should'): void {
  switch (verdict.verdict) {
    case 'pass':
      return;
    case 'fail':
      if (verdict.level === 'must' || failOn === 'should')
        test.failure(messageOf(verdict, failure), verdict.basis).stacktrace(failure ? lines(failure) : '');
      else test.standardOutput(`should: ${failure ? lines(failure) : verdict.title}`);
      return;
    case 'suite_error':
      test.error(verdict.reason ?? 'internal error in the suite');
      return;
    default:
      test.standardOutput(reasonOf(verdict)).skipped();
  }
}

function reasonOf({ reason, option, verdict }: RequirementVerdict): string {
  return option === null ? (reason ?? verdict) : `${reason} To check it: ${option}.`;
}

/** A case that fails where the run was partial, and is skipped where that was allowed. */
function tellCoverage(test: Case, { coverage, verdicts }: Report, allowPartial: boolean): void {
  test.className('certify.coverage').name('All applicable mandatory requirements were checked');
  const { judged, of } = coverage.mandatory;
  if (judged === of) return;
  const words = `Partial: ${coverageWords(coverage)} were checked. ${remedyOf(unjudgedMandatory(verdicts))}`.trimEnd();
  if (allowPartial) test.standardOutput(words).skipped();
  else test.failure(words, 'partial');
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
