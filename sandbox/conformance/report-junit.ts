import junit from 'junit-report-builder';
import type { Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { captureGapsText, nothingWords, unmatchedWords } from './report-text.ts';
import { oneStatement } from './statements/statements.ts';

/** Begins a JUnit report. The package is what its types call its default. */
export const newBuilder = () => (junit as unknown as typeof junit.default).newBuilder();
type Builder = ReturnType<typeof newBuilder>;
type Suite = ReturnType<Builder['testSuite']>;

/**
 * The report as JUnit XML: a suite for each contract, a case for each request and reply that was seen, and a case for
 * each finding that belongs to no operation. Errors fail their case, warnings stand in its output. What was not seen is
 * left out; coverage is the JSON report's matter.
 */
export function junitReport(report: Report): string {
  const { findings, coverage, totals } = report;
  const builder = newBuilder();
  const suites = new Map<string, Suite>();
  const suite = (api: string): Suite => {
    const existing = suites.get(api) ?? builder.testSuite().name(api);
    suites.set(api, existing);
    return existing;
  };
  const judged = findings.filter(({ severity }) => severity !== 'notice');
  const reported = new Set<Finding>();
  for (const { api, operation, direction, status, seen } of coverage.cells) {
    if (seen === 0) continue;
    const name = direction === 'request' ? `${operation} request` : `${operation} response ${status}`;
    const test = suite(api).testCase().className(`${api}.${operation}`).name(name);
    const own = judged.filter(
      (found) =>
        found.operation === operation &&
        found.direction === direction &&
        (direction === 'request' || found.status === status),
    );
    for (const found of own) reported.add(found);
    tell(test, own);
  }
  for (const found of judged.filter((candidate) => !reported.has(candidate))) {
    const test = suite(found.api)
      .testCase()
      .className(`${found.api}.${found.operation ?? 'undocumented'}`);
    tell(test.name(`${found.method} ${found.url} ${found.direction}`), [found]);
  }
  tellStatements(report, suite);
  if (totals.not_kept > 0) {
    const test = suite('more').testCase().className('more').name('findings beyond the limit');
    test.standardOutput(`${totals.not_kept} more findings, none more severe than the listed ones`);
  }
  const gaps = captureGapsText(report);
  if (gaps !== undefined) {
    const test = suite('capture').testCase().className('capture').name('completeness of the capture');
    test.standardOutput(gaps).skipped();
  }
  const unmatched = unmatchedWords(report);
  if (unmatched !== undefined) {
    const test = suite('capture').testCase().className('capture').name('calls that match no contract');
    test.standardOutput(unmatched).skipped();
  }
  const nothing = nothingWords(report);
  if (nothing !== undefined) suite('capture').testCase().className('capture').name('calls to check').error(nothing);
  return `${builder.build()}\n`;
}

/** A case for each statement that traffic can show. What was not observed is skipped. */
function tellStatements({ statements, exchanges }: Report, suite: (name: string) => Suite): void {
  if (exchanges.checked === 0) return;
  for (const statement of statements) {
    if (statement.state === 'not_visible') continue;
    const test = suite('statements').testCase().className('statements').name(statement.id);
    const words = oneStatement(statement);
    if (statement.state === 'violated') test.failure(words, 'violated');
    else if (statement.state === 'not_observed') test.skipped();
    else test.standardOutput(words);
  }
}

/** Adds the findings to a test case. JUnit readers accept one failure per case: each finding is a line of its text. */
function tell(test: ReturnType<Suite['testCase']>, findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const [first] = errors;
  if (first !== undefined) test.failure(line(first), first.code).stacktrace(errors.map(line).join('\n'));
  if (warnings.length > 0) test.standardOutput(warnings.map((found) => `warning: ${line(found)}`).join('\n'));
}

function line({ code, party, pointer, expected, actual, basis, contract, trace }: Finding): string {
  return `${code}: ${pointer} ${expected}, found ${actual}; based on ${basis}; at fault: ${party}; ${contract.file}:${contract.line}; trace ${trace ?? 'unknown'}`;
}
