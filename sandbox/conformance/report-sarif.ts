import type { Checker } from './checker.ts';
import type { Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { captureGapsText, nothingWords, restsOn, unmatchedWords, wordsOf } from './report-text.ts';

/**
 * The report as SARIF 2.1.0: a result for each finding. It is at the place that `sources` have for its operation, with
 * the line of the contract that it breaks as a related place; without such a place at that line.
 */
export function sarifReport(report: Report, sources: Sources = new Map()): string {
  const { findings, tool } = report;
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const driver = {
    name: tool.name,
    version: tool.version,
    rules: codes.map(rule),
    notifications: [incomplete, unmatched, nothing],
  };
  const run = {
    tool: { driver },
    invocations: [
      { executionSuccessful: nothingWords(report) === undefined, toolExecutionNotifications: notifications(report) },
    ],
    columnKind: 'utf16CodeUnits',
    properties: { statements: report.statements },
    results: findings.map((found) => result(found, codes.indexOf(found.code), sources)),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Notices about a capture as a whole, as SARIF describes them. */
const incomplete = {
  id: 'capture.incomplete',
  shortDescription: { text: 'capture incomplete' },
  fullDescription: { text: 'Parts of some messages are missing from the capture and were not checked.' },
};

const unmatched = {
  id: 'capture.unmatched',
  shortDescription: { text: 'calls match no contract' },
  fullDescription: { text: 'Some calls in the capture match no contract and were not checked.' },
};

const nothing = {
  id: 'capture.nothing-checked',
  shortDescription: { text: 'nothing was checked' },
  fullDescription: {
    text: 'The capture contains no call that a contract describes, so the absence of results is meaningless.',
  },
};

/** What was not checked. These are no results, since nothing is wrong with the calls for that. */
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

/** A code as SARIF describes a rule; readers show the help next to each of its results. */
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

/** A line of a file, by its path from the root of a repository. */
function at(path: string, startLine: number) {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine } };
}

/** A place in the user's repository: a path from its root, and a line, 1 for the first. */
interface SourcePlace {
  readonly path: string;
  readonly line: number;
}

/** Where in that repository an operation is handled or called, by `operationId`; under `''` all others. */
export type Sources = ReadonlyMap<string, SourcePlace>;

/** Most characters of a path. */
const mostOfPath = 1000;

/**
 * Reads `PATH`, `PATH:LINE`, `OPERATION=PATH` or `OPERATION=PATH:LINE`. Undefined when it is not that: a path that
 * begins at the root of the machine, or leads out of the repository, is none.
 */
export function sourceOf(text: string): readonly [operation: string, place: SourcePlace] | undefined {
  const [, operation = '', path = '', line = '1'] = /^(?:(\w+)=)?([^=]+?)(?::([1-9]\d{0,6}))?$/.exec(text) ?? [];
  const steps = path.split('/');
  if (path === '' || path.length > mostOfPath || steps[0] === '' || steps.includes('..') || /[\\:]/.test(path))
    return undefined;
  return [operation, { path: path.replace(/^\.\//, ''), line: Number(line) }];
}

/** The names among sources that no contract has an operation of. */
export function unknownOperations(sources: Sources, { contracts }: Checker): readonly string[] {
  const ids = new Set(Object.values(contracts).flatMap((of) => of.map(({ operationId }) => operationId)));
  return [...sources.keys()].filter((name) => name !== '' && !ids.has(name));
}
