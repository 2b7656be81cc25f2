import { styleText } from 'node:util';
import { printable } from '../runtime/terminal.ts';
import type { Finding } from './finding.ts';
import type { Report } from './finding-book.ts';

type Paint = (style: 'red' | 'yellow' | 'green' | 'dim', text: string) => string;

/** The report for people: one block for each finding, then the totals. `colour` is for terminals. */
export function textReport(report: Report, colour: boolean): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const { exchanges, totals, coverage, findings } = report;
  const blocks = findings.map((found) => block(found, paint));
  const rest = totals.not_kept > 0 ? [`and ${totals.not_kept} more that are not listed`] : [];
  const verdict =
    totals.errors === 0
      ? paint('green', `Clean: ${count(exchanges.checked, 'exchange')} checked.`)
      : paint(
          'red',
          `${count(totals.errors + totals.not_kept, 'finding')} in ${count(exchanges.checked, 'exchange')}.`,
        );
  const skipped = [
    exchanges.outside > 0 ? `${exchanges.outside} outside the contracts` : '',
    exchanges.unreadable > 0 ? `${exchanges.unreadable} without a complete exchange` : '',
    totals.notices > 0 ? count(totals.notices, 'notice') : '',
  ].filter((text) => text !== '');
  const covered = `Coverage: ${coverage.percent} % (${coverage.covered} of ${coverage.documented} documented requests and successes).`;
  return [...blocks, ...rest, [verdict, ...skipped].join(' '), covered, ''].join('\n');
}

function block(found: Finding, paint: Paint): string {
  const { severity, party, hosted_by, code, method, url, status, operation, api, pointer, times, contract } = found;
  const blamed = party === 'host' && hosted_by !== 'nobody' ? `host (${hosted_by})` : party;
  const head = paint(severity === 'error' ? 'red' : 'yellow', `${severity} ${code}`);
  const answer = status === null ? '' : ` -> ${status}`;
  const repeated = times > 1 ? `, ${times} times` : '';
  const trace = found.trace === null ? '' : `, trace ${found.trace}`;
  return [
    `${head}${severity === 'error' ? `  at fault: ${blamed}` : ''}${repeated}`,
    printable(`  ${method} ${url}${answer}  (${operation ?? 'no operation'} of ${api}${trace})`),
    printable(`  ${pointer}: ${found.expected}; found ${found.actual}`),
    paint('dim', printable(`  ${contract.file}:${contract.line}`)),
    '',
  ].join('\n');
}

/** A finding as it comes, in one line. */
export function findingLine({ code, method, url, pointer, expected, actual, party }: Finding): string {
  return printable(`${code} ${method} ${url}: ${pointer} ${expected}, found ${actual} (at fault: ${party})`);
}

/** A number with its noun. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
