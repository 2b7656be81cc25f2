import junit from 'junit-report-builder';
import type { Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { captureGapsText, nothingWords, unmatchedWords } from './report-text.ts';
import { oneStatement } from './statements/statements.ts';

/** A case of a JUnit report. It passes unless it has a failure or an error, or is skipped. */
export interface JunitCase {
  readonly suite: string;
  readonly className: string;
  readonly name: string;
  readonly seconds?: number;
  readonly failure?: { readonly message: string; readonly type: string; readonly details?: string } | undefined;
  readonly error?: string;
  readonly isSkipped?: boolean;
  readonly output?: string;
}

// The types declare a default export, but the module itself is the API.
const reports = junit as unknown as typeof junit.default;

/** Writes cases as JUnit XML. Suites appear in the order of their first cases. */
export function junitXml(cases: readonly JunitCase[], title?: string): string {
  const builder = reports.newBuilder();
  if (title !== undefined) builder.name(title);
  for (const [name, ofSuite] of Map.groupBy(cases, ({ suite }) => suite)) {
    const suite = builder.testSuite().name(name);
    for (const each of ofSuite) write(suite.testCase(), each);
  }
  return `${builder.build()}\n`;
}

type TestCase = ReturnType<ReturnType<typeof reports.testSuite>['testCase']>;

function write(test: TestCase, { className, name, seconds, failure, error, isSkipped, output }: JunitCase): void {
  test.className(className).name(name);
  if (seconds !== undefined) test.time(seconds);
  if (failure !== undefined) test.failure(failure.message, failure.type);
  if (failure?.details !== undefined) test.stacktrace(failure.details);
  if (error !== undefined) test.error(error);
  if (output !== undefined) test.standardOutput(output);
  if (isSkipped === true) test.skipped();
}

/**
 * Writes a report as JUnit XML, with one suite per contract. There is a case for each request and reply in the traffic, and for
 * each finding outside the documented operations. Errors fail their case, and warnings appear in its output. Documented requests
 * and replies without traffic are omitted; the JSON report lists them as coverage.
 */
export function junitReport(report: Report): string {
  const { findings, coverage, totals } = report;
  const cases: JunitCase[] = [];
  const judged = findings.filter(({ severity }) => severity !== 'notice');
  const reported = new Set<Finding>();
  for (const { api, operation, direction, status, seen } of coverage.cells) {
    if (seen === 0) continue;
    const name = direction === 'request' ? `${operation} request` : `${operation} response ${status}`;
    const own = judged.filter(
      (found) =>
        found.operation === operation &&
        found.direction === direction &&
        (direction === 'request' || found.status === status),
    );
    for (const found of own) reported.add(found);
    cases.push({ suite: api, className: `${api}.${operation}`, name, ...outcomeOf(own) });
  }
  for (const found of judged.filter((candidate) => !reported.has(candidate))) {
    const { api, operation, method, url, direction } = found;
    const className = `${api}.${operation ?? 'undocumented'}`;
    cases.push({ suite: api, className, name: `${method} ${url} ${direction}`, ...outcomeOf([found]) });
  }
  cases.push(...statementCases(report));
  if (totals.not_kept > 0) {
    const output = `${totals.not_kept} more findings, none more severe than the listed ones`;
    cases.push({ suite: 'more', className: 'more', name: 'findings beyond the limit', output });
  }
  const skipped = [
    ['completeness of the capture', captureGapsText(report)],
    ['calls that match no contract', unmatchedWords(report)],
  ] as const;
  const capture = { suite: 'capture', className: 'capture' };
  for (const [name, output] of skipped)
    if (output !== undefined) cases.push({ ...capture, name, output, isSkipped: true });
  const nothing = nothingWords(report);
  if (nothing !== undefined) cases.push({ ...capture, name: 'calls to check', error: nothing });
  return junitXml(cases);
}

/** Returns a case for each statement that traffic can show. Statements that were not observed are skipped cases. */
function statementCases({ statements, exchanges }: Report): readonly JunitCase[] {
  if (exchanges.checked === 0) return [];
  const visible = statements.filter(({ state }) => state !== 'not_visible');
  return visible.map((statement) => {
    const named = { suite: 'statements', className: 'statements', name: statement.id };
    const message = oneStatement(statement);
    if (statement.state === 'violated') return { ...named, failure: { message, type: 'violated' } };
    return statement.state === 'not_observed' ? { ...named, isSkipped: true } : { ...named, output: message };
  });
}

/**
 * Returns the outcome of a case with these findings. JUnit readers accept only one failure per case, so each finding is a line of
 * its text.
 */
function outcomeOf(findings: readonly Finding[]): Pick<JunitCase, 'failure' | 'output'> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const [first] = errors;
  return {
    failure: first && { message: line(first), type: first.code, details: errors.map(line).join('\n') },
    ...(warnings.length > 0 && { output: warnings.map((found) => `warning: ${line(found)}`).join('\n') }),
  };
}

function line({ code, party, pointer, expected, actual, basis, contract, trace }: Finding): string {
  return `${code}: ${pointer} ${expected}, found ${actual}; based on ${basis}; at fault: ${party}; ${contract.file}:${contract.line}; trace ${trace ?? 'unknown'}`;
}
