import { styleText } from 'node:util';
import { idsOf, isStated } from '../contract/basis.ts';
import { printable } from '../runtime/terminal.ts';
import type { Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { captureGapsText, count, nothingWords, opinionWords, unmatchedWords } from './report-words.ts';
import { statementWords } from './statements/statements.ts';

type Paint = (style: 'red' | 'yellow' | 'green' | 'cyan' | 'dim', text: string) => string;

const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

/** The report for people: one block for each finding, then the totals. `colour` is for terminals. */
export function textReport(report: Report, colour: boolean): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const { exchanges, totals, coverage, findings } = report;
  const lines = (...texts: readonly (string | undefined)[]) =>
    `${texts.filter((text) => text !== undefined).join('\n')}\n`;
  const nothing = nothingWords(report);
  const unmatched = unmatchedWords(report);
  const last = unmatched === undefined ? undefined : paint('yellow', printable(unmatched));
  if (nothing !== undefined) return lines(paint('red', nothing), last);
  const blocks = findings.map((found) => block(found, paint));
  const rest = totals.not_kept > 0 ? [`and ${totals.not_kept} more not listed`] : [];
  const skipped = [
    exchanges.unreadable > 0 ? `${count(exchanges.unreadable, 'entry', 'entries')} without a call` : '',
    totals.notices > 0 ? count(totals.notices, 'notice') : '',
  ].filter((text) => text !== '');
  const covered = `Coverage: ${coverage.percent} % (${coverage.covered} of ${coverage.documented} documented requests and successes).`;
  const statements = statementWords(report.statements);
  const gaps = captureGapsText(report);
  const opinions = opinionWords(report);
  const incomplete = gaps === undefined ? undefined : paint('yellow', gaps);
  const summary = [verdict(report, paint), ...skipped].join(' ');
  return lines(...blocks, ...rest, summary, incomplete, opinions, covered, statements, last);
}

/** What was found, in one sentence. Only a whole capture without a finding is clean. */
function verdict(report: Report, paint: Paint): string {
  const { errors, warnings } = report.totals;
  const checked = count(report.exchanges.checked, 'exchange');
  if (errors + warnings > 0)
    return paint(
      errors > 0 ? 'red' : 'yellow',
      `${count(errors, 'error')} and ${count(warnings, 'warning')} in ${checked}.`,
    );
  if (captureGapsText(report) !== undefined) return paint('yellow', `No findings in the captured parts of ${checked}.`);
  if (report.exchanges.outside > 0) return paint('yellow', `No findings in ${checked}.`);
  return paint('green', `Clean: ${checked} checked.`);
}

function block(found: Finding, paint: Paint): string {
  const { severity, party, hosted_by, code, method, url, status, operation, api, pointer, times, contract } = found;
  const blamed = party === 'host' && hosted_by !== 'nobody' ? `host (${hosted_by})` : party;
  const head = paint(colours[severity], `${severity} ${code}`);
  const answer = status === null ? '' : ` -> ${status}`;
  const repeated = times > 1 ? `, ${times} times` : '';
  const trace = found.trace === null ? '' : `, trace ${found.trace}`;
  return [
    `${head}${severity === 'notice' ? '' : `  at fault: ${blamed}`}${repeated}`,
    printable(`  ${method} ${url}${answer}  (${operation ?? 'no operation'} of ${api}${trace})`),
    printable(`  ${pointer}: ${found.expected}; found ${found.actual}`),
    paint('dim', printable(`  ${contract.file}:${contract.line}, ${restsOn(found)}`)),
    '',
  ].join('\n');
}

/** What a finding rests on, in words. */
export function restsOn({ basis, source }: Pick<Finding, 'basis' | 'source'>): string {
  const ids = idsOf(basis).join(', ');
  const rests = isStated(basis) ? `stated by the interface (${ids})` : `assumed by this sandbox (${ids})`;
  return source === undefined ? rests : `${rests}; found by Prism only`;
}

/** A finding as it comes, in one line. */
export function findingLine(found: Finding): string {
  const { severity, code, method, url, pointer, expected, actual, party } = found;
  const what = `${method} ${url}: ${pointer} ${expected}, found ${actual}`;
  return printable(`${severity} ${code} ${what} (at fault: ${party}; ${restsOn(found)})`);
}
