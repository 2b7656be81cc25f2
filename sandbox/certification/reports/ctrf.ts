import { entryOf } from '../causes.ts';
import type { Report, RequirementVerdict } from '../verdict.ts';

const statuses = {
  pass: 'passed',
  fail: 'failed',
  suite_error: 'other',
  blocked: 'skipped',
  not_applicable: 'skipped',
  not_selected: 'skipped',
} as const satisfies Record<RequirementVerdict['verdict'], string>;

/** The report in the Common Test Report Format (ctrf.io, specification 0.0.0), with two spaces of indent. */
export function ctrfReport(report: Report): string {
  const tests = report.verdicts.map(({ id, title, group, level, basis, verdict, reason, option }) => {
    const failure = verdict === 'fail' ? entryOf(report.failures, id) : undefined;
    const message = failure?.message ?? (option === null ? reason : `${reason} To check it: ${option}.`);
    return {
      name: `${id} ${title}`,
      status: statuses[verdict],
      rawStatus: verdict,
      // The whole run is timed, not each requirement, so that two runs can be compared.
      duration: 0,
      suite: [group],
      tags: [level, basis],
      ...(message !== null && message !== undefined && { message }),
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
