/** Writes the report files of a run. */

import { type JunitCase, junitXml } from '../conformance/report-junit.ts';
import { replaceFile } from '../store/files.ts';
import { entryOf } from './causes.ts';
import { issueCertificate, jsonReport, type SigningKey, unfinished } from './certificate.ts';
import { coverageWords, remedyOf, unjudgedMandatory } from './report-text.ts';
import { htmlReport } from './reports/html.ts';
import type { Failure, Report, RequirementVerdict } from './verdict.ts';

/** Options of the report writers. */
export interface Writing {
  /** The lowest level of requirement whose failure fails a test case. */
  readonly failOn: 'must' | 'should';
  /** Whether a partial run is acceptable. */
  readonly allowPartial: boolean;
  /** The address of the documentation. */
  readonly docs: string;
  /** The key that signs the certificate, if one was requested. */
  readonly signing: SigningKey | undefined;
}

/** Writers for the formats of `--report`. */
const writers = {
  json: (report: Report) => jsonReport(report),
  junit: (report: Report, { failOn, allowPartial }: Writing) => junitReport(report, failOn, { allowPartial }),
  html: (report: Report, { docs }: Writing) => htmlReport(report, docs),
  ctrf: (report: Report) => ctrfReport(report),
};

/** A format of `--report`. */
export type ReportFormat = keyof typeof writers;

/** All formats of `--report`. */
export const reportFormats = Object.keys(writers) as readonly ReportFormat[];

/** A requested report file. */
export interface ReportFile {
  readonly format: ReportFormat | 'certificate';
  readonly file: string;
}

/**
 * Writes the requested files and resolves with the files written. Omits the certificate if the run did not finish. Rejects
 * with the system error if a file cannot be written.
 */
export async function writeReports(report: Report, files: readonly ReportFile[], writing: Writing) {
  const wanted = files.filter(({ format }) => format !== 'certificate' || !unfinished.includes(report.outcome));
  for (const { format, file } of wanted) {
    const text = format === 'certificate' ? await certificate(report, writing) : writers[format](report, writing);
    await replaceFile(file, text);
  }
  return wanted;
}

async function certificate(report: Report, { signing }: Writing): Promise<string> {
  if (signing === undefined) throw new Error('there is no key to sign the certificate with');
  return `${await issueCertificate(report, signing)}\n`;
}

const statuses = {
  pass: 'passed',
  fail: 'failed',
  suite_error: 'other',
  blocked: 'skipped',
  not_applicable: 'skipped',
  not_selected: 'skipped',
} as const satisfies Record<RequirementVerdict['verdict'], string>;

/** Formats the report in the Common Test Report Format (ctrf.io, specification 0.0.0), with an indent of two spaces. */
export function ctrfReport(report: Report): string {
  const tests = report.verdicts.map((judged) => {
    const { id, title, group, level, basis, verdict } = judged;
    const failure = verdict === 'fail' ? entryOf(report.failures, id) : undefined;
    const message = failure?.message ?? reasonOf(judged);
    return {
      name: `${id} ${title}`,
      status: statuses[verdict],
      rawStatus: verdict,
      // Requirements are not timed individually, so that the reports of two runs can be compared.
      duration: 0,
      suite: [group],
      tags: [level, basis],
      ...(message !== null && { message }),
      ...(failure !== undefined && {
        trace: failure.exchanges.map(({ curl, status, problem }) => `${curl}\n-> ${status ?? problem}`).join('\n'),
      }),
    };
  });
  const of = (status: string) => tests.filter((test) => test.status === status).length;
  const summary = {
    tests: tests.length,
    passed: of('passed'),
    failed: of('failed'),
    pending: 0,
    skipped: of('skipped'),
    other: of('other'),
    start: Date.parse(report.started_at),
    stop: Date.parse(report.finished_at),
  };
  const tool = { name: 'rewards-sandbox certify', version: report.suite };
  return `${JSON.stringify({ reportFormat: 'CTRF', specVersion: '0.0.0', results: { tool, summary, tests } }, null, 2)}\n`;
}

/**
 * Formats the report as JUnit XML, with a suite per group and a case per requirement. A failed `should` passes with output
 * unless `failOn` is `should`. Untested and blocked requirements are skipped. The last case covers the coverage.
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
      return { output: reasonOf(verdict) ?? verdict.verdict, isSkipped: true };
  }
}

function reasonOf({ reason, option }: RequirementVerdict): string | null {
  return option === null ? reason : `${reason} To check it: ${option}.`;
}

/** Returns a case that fails if the run was partial, or is skipped if `allowPartial` is true. */
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

/** Returns the failure message, preceded by the requirement that reports the common cause, if any. */
function messageOf({ id, title }: RequirementVerdict, failure: Failure | undefined): string {
  if (failure === undefined) return title;
  return failure.requirement === id ? failure.message : `Same cause as ${failure.requirement}: ${failure.message}`;
}

function lines({ message, pointer, expected, actual, statement, contract, change, again, exchanges }: Failure): string {
  const calls = exchanges.map(({ curl, status, problem }) => `${curl}\n  -> ${status ?? problem}`);
  const place = `${pointer}: expected ${expected}, found ${actual}`;
  const basis = `based on ${statement}; ${contract.file}:${contract.line}`;
  return [message, place, basis, change, again, ...calls].join('\n');
}
