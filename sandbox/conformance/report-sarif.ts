import type { Checker } from './checker.ts';
import type { Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { captureGapsText, nothingWords, restsOn, unmatchedWords, wordsOf } from './report-text.ts';

/**
 * Writes a report as SARIF 2.1.0, with one result per finding. The result is located at the source of its operation, with the
 * broken line of the contract as a related location. If `sources` has no entry for the operation, the contract line is the main
 * location.
 */
export function sarifReport(report: Report, sources: Sources = new Map()): string {
  const { findings, tool } = report;
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const driver = { ...tool, rules: codes.map(rule), notifications: [incomplete, unmatched, nothing] };
  const executionSuccessful = nothingWords(report) === undefined;
  const run = {
    tool: { driver },
    invocations: [{ executionSuccessful, toolExecutionNotifications: notifications(report) }],
    columnKind: 'utf16CodeUnits',
    properties: { statements: report.statements },
    results: findings.map((found) => result(found, codes.indexOf(found.code), sources)),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Returns the SARIF descriptor of a notice about a whole capture. */
function descriptor(id: string, short: string, full: string) {
  return { id, shortDescription: { text: short }, fullDescription: { text: full } };
}

const incomplete = descriptor(
  'capture.incomplete',
  'capture incomplete',
  'Parts of some messages are missing from the capture and were not checked.',
);
const unmatched = descriptor(
  'capture.unmatched',
  'calls match no contract',
  'Some calls in the capture match no contract and were not checked.',
);
const nothing = descriptor(
  'capture.nothing-checked',
  'nothing was checked',
  'The capture contains no call that a contract describes, so the absence of results is meaningless.',
);

/** Returns notifications about traffic that was not checked. They are not results, because they do not mean that the calls are wrong. */
function notifications(report: Report) {
  const texts = [
    [incomplete.id, 'warning', captureGapsText(report)],
    [unmatched.id, 'warning', unmatchedWords(report)],
    [nothing.id, 'error', nothingWords(report)],
  ] as const;
  return texts.flatMap(([id, level, text], index) =>
    text === undefined ? [] : [{ descriptor: { id, index }, level, message: { text } }],
  );
}

/** Returns the SARIF rule for a finding code. SARIF readers show its help next to each result. */
function rule(id: string) {
  const { what, help } = wordsOf(id);
  return {
    id,
    shortDescription: { text: id.split('.').join(' ') },
    fullDescription: { text: what },
    help: { text: help, markdown: help },
  };
}

function result(found: Finding, ruleIndex: number, sources: Sources) {
  const { code, severity, party, method, url, status, pointer, expected, actual, contract, times, ...rest } = found;
  const answer = status === null ? '' : ` returned ${status}`;
  const text = `${method} ${url}${answer}: ${pointer} ${expected}, found ${actual}, ${restsOn(rest)}. At fault: ${party}.`;
  const broken = { physicalLocation: at(contract.file, contract.line) };
  const source = sources.get(found.operation ?? '') ?? sources.get('');
  const related = { ...broken, id: 1, message: { text: 'Contract' } };
  return {
    ruleId: code,
    ruleIndex,
    level: severity === 'notice' ? 'note' : severity,
    message: { text },
    ...(source === undefined
      ? { locations: [broken] }
      : { locations: [{ physicalLocation: at(source.path, source.line) }], relatedLocations: [related] }),
    occurrenceCount: times,
    properties: { party, pointer, expected, actual, ...rest },
  };
}

/** Returns the SARIF location of a line in a file, whose path is relative to the root of the repository. */
function at(path: string, startLine: number) {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine } };
}

/** A location in the user's repository: a path relative to its root, and a line number starting at 1. */
interface SourcePlace {
  readonly path: string;
  readonly line: number;
}

/** The locations where the repository handles or calls operations, by `operationId`. The key `''` covers all other operations. */
export type Sources = ReadonlyMap<string, SourcePlace>;

/** Maximum length of a path, in characters. */
const mostOfPath = 1000;

/**
 * Parses `PATH`, `PATH:LINE`, `OPERATION=PATH` or `OPERATION=PATH:LINE`. Returns `undefined` for any other text, for an absolute
 * path, and for a path that leads out of the repository.
 */
export function sourceOf(text: string): readonly [operation: string, place: SourcePlace] | undefined {
  const [, operation = '', path = '', line = '1'] = /^(?:(\w+)=)?([^=]+?)(?::([1-9]\d{0,6}))?$/.exec(text) ?? [];
  const steps = path.split('/');
  if (path === '' || path.length > mostOfPath || steps[0] === '' || steps.includes('..') || /[\\:]/.test(path))
    return undefined;
  return [operation, { path: path.replace(/^\.\//, ''), line: Number(line) }];
}

/** Returns the operation names in `sources` that no contract contains. */
export function unknownOperations(sources: Sources, { operations }: Checker): readonly string[] {
  return [...sources.keys()].filter((name) => name !== '' && !operations.has(name));
}
