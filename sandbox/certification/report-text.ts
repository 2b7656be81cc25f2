/** Formats a run for a terminal: a table by group, all failures, and the untested requirements. */

import { styleText } from 'node:util';
import { count, restsOn } from '../conformance/report-text.ts';
import { printable } from '../runtime/terminal.ts';
import { argumentLines } from './failure.ts';
import type { Requirement } from './requirement.ts';
import type { Failure, Report, RequirementVerdict, VerdictWord } from './verdict.ts';

/** Display options of a report. */
export interface Look {
  readonly colour: boolean;
  /** The width of the terminal, in columns. */
  readonly width: number;
  /** The address of the documentation. */
  readonly docs: string;
}

type Style = 'red' | 'yellow' | 'green' | 'dim' | 'bold';

const columns: readonly (readonly [VerdictWord, string, Style])[] = [
  ['pass', 'pass', 'green'],
  ['fail', 'fail', 'red'],
  ['blocked', 'blocked', 'yellow'],
  ['not_applicable', 'not applicable', 'dim'],
  ['not_selected', 'not selected', 'dim'],
  ['suite_error', 'suite error', 'red'],
];

/** Formats the whole report. Returns an empty string if the run did not start. */
export function reportText(report: Report, look: Look): string {
  const { verdicts, failures, balances, calls, notes, outcome } = report;
  // Nothing was tested. The caller prints the reason as the last line.
  if (outcome === 'environment') return '';
  return [
    table(report, look),
    '',
    ...failures.flatMap((failure) => [failureText(failure, verdicts, look), '']),
    ...unjudgedLines(verdicts, look),
    ...notes.map((note) => wrapped(printable(`note: ${note}`), look.width, 0)),
    `${calls} calls were sent. ${balanceWords({ balances })}${balances === 'not_restored' ? ' Reset them before the next run.' : ''}`,
    '',
  ].join('\n');
}

/** Formats only the failures of a report. */
export function failuresText({ failures, verdicts }: Report, look: Look): string {
  return failures.map((failure) => `${failureText(failure, verdicts, look)}\n`).join('\n');
}

function painter({ colour }: Look): (style: Style, text: string) => string {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}

function table({ verdicts, counts }: Report, look: Look): string {
  const paint = painter(look);
  const visible = columns.filter(([word]) => word !== 'suite_error' || counts.suite_error > 0);
  const groups = [...new Set(verdicts.map(({ group }) => group))];
  const widest = Math.max('all'.length, ...groups.map(({ length }) => length));
  const line = (name: string, number: (word: VerdictWord) => number) =>
    [
      name.padEnd(widest),
      ...visible.map(([word, title, style]) => {
        const value = number(word);
        const cell = (value === 0 ? '-' : String(value)).padStart(title.length);
        return value === 0 ? cell : paint(style, cell);
      }),
    ].join('  ');
  return [
    paint('bold', [' '.repeat(widest), ...visible.map(([, title]) => title)].join('  ')),
    ...groups.map((group) => {
      const own = verdicts.filter((verdict) => verdict.group === group);
      return line(group, (word) => own.filter(({ verdict }) => verdict === word).length);
    }),
    line('all', (word) => counts[word]),
  ].join('\n');
}

function failureText(failure: Failure, verdicts: readonly RequirementVerdict[], look: Look): string {
  const paint = painter(look);
  const found = verdicts.find(({ id }) => id === failure.requirement);
  const wrap = (text: string, indent = 2) => wrapped(printable(text), look.width, indent);
  const { contract, exchanges, breaks } = failure;
  const blocked = blockedBy(failure, verdicts);
  const basis = restsOn({ basis: failure.statement, answered: found?.answer });
  const { length: calls } = exchanges;
  return [
    `${paint('red', 'FAIL')} ${paint('bold', failure.requirement)} ${printable(found?.title ?? '')} (${levelNames[found?.level ?? 'must']})`,
    wrap(failure.message),
    wrap(`${failure.pointer}: expected ${failure.expected}; found ${failure.actual}`),
    ...(breaks.length > 0 ? [wrap(`Also fails: ${breaks.join(', ')}`)] : []),
    ...(blocked.length > 0 ? [wrap(`Blocks: ${blocked.join(', ')}`)] : []),
    wrap(`Fix: ${failure.change}`),
    wrap(`Based on: ${basis}, ${contract.file}:${contract.line}`),
    wrap(`Docs: ${look.docs}/${failure.docs}`),
    wrap(`Re-run: certify ${failure.again} (same options)`),
    ...(calls > 1 ? [wrap(`Call ${calls} of ${calls}; the report files contain all calls`)] : []),
    ...exchanges
      .slice(-1)
      .flatMap((exchange) => [
        paint('dim', argumentLines(exchange.curl).map(printable).join(' \\\n  ')).replaceAll(/^/gm, '  '),
        wrap(`-> ${exchange.status ?? exchange.problem} ${exchange.reply_body ?? ''}`.trimEnd(), 4),
      ]),
  ].join('\n');
}

/** Returns the requirements that a failure blocks. */
export function blockedBy({ requirement, breaks }: Failure, verdicts: readonly RequirementVerdict[]): string[] {
  const causes = [requirement, ...breaks];
  return verdicts.filter(({ blocked_by }) => causes.includes(blocked_by ?? '')).map(({ id }) => id);
}

/** Lists the untested requirements, with one line per reason. */
function unjudgedLines(verdicts: readonly RequirementVerdict[], look: Look): readonly string[] {
  const kinds: readonly VerdictWord[] = ['blocked', 'not_selected', 'not_applicable', 'suite_error'];
  const unjudged = verdicts.filter(({ verdict }) => kinds.includes(verdict));
  const reasons = Map.groupBy(unjudged, ({ verdict, reason, option, blocked_by }) => {
    const title = columns.find(([word]) => word === verdict)?.[1] ?? verdict;
    const by = blocked_by === null ? '' : ` by ${blocked_by}`;
    return `${title}${by}: ${reason ?? ''}${option === null ? '' : ` To check it: ${option}.`}`;
  });
  const lines = [...reasons].map(([reason, all]) => `${reason} ${all.map(({ id }) => id).join(', ')}`);
  return lines.length === 0 ? [] : [...lines.map((line) => wrapped(printable(line), look.width, 0)), ''];
}

/** Formats the requirements of an edition as a list. */
export function listText(list: readonly Requirement[], look: Look): string {
  const paint = painter(look);
  const lines = list.flatMap(({ id, level, group, title, needs, operation, basis }) => [
    `${paint('bold', id.padEnd(7))}${level.padEnd(8)}${group.padEnd(12)}${wrapped(title, look.width, 27).trimStart()}`,
    paint('dim', `${' '.repeat(27)}${operation ?? 'all operations'}; ${basis}; needs ${needs.join(', ') || 'nothing'}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Wraps and indents text. A word longer than a line is placed on a separate line. */
function wrapped(text: string, width: number, indent: number): string {
  const most = Math.max(width - indent, 20);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > most) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((text) => `${' '.repeat(indent)}${text}`).join('\n');
}

/** Display names of requirement levels. */
export const levelNames = { must: 'mandatory', should: 'recommended' } as const;

const outcomes = {
  passed: 'Passed: all applicable mandatory requirements passed.',
  partial: 'Partial: no mandatory requirement failed, but some were not checked.',
  failed: 'Failed: some mandatory requirements are not met.',
  interrupted: 'Interrupted: the run was stopped early.',
  environment: 'Not started: the run lacks something it needs.',
  suite_error: 'Suite error: this is not a fault of the server.',
} as const satisfies Record<Report['outcome'], string>;

/** Describes the result of a run, including the problem that ended it, if any. */
export function outcomeWords({ outcome, problem }: Pick<Report, 'outcome' | 'problem'>): string {
  return problem === null ? outcomes[outcome] : `${outcomes[outcome]} ${problem}`;
}

/** Describes the coverage, such as `148 of 150 mandatory and 40 of 41 recommended requirements`. */
export function coverageWords({ mandatory, recommended }: Report['coverage']): string {
  const share = ({ judged, of }: Report['coverage']['mandatory']) => `${judged} of ${of}`;
  return `${share(mandatory)} mandatory and ${share(recommended)} recommended requirements`;
}

/** Describes the numbers of failed requirements and of causes, such as `17 failed, 6 causes`. */
export function failedWords(failed: number, causes: number): string {
  return `${failed} failed, ${count(causes, 'cause')}`;
}

/** Describes the state of the balances after a run, in one sentence. */
export function balanceWords({ balances }: Pick<Report, 'balances'>): string {
  return {
    restored: 'All balances were restored.',
    not_restored: 'Not all balances were restored.',
    unknown: 'Could not check whether all balances were restored.',
  }[balances];
}

type Verdicts = readonly Pick<RequirementVerdict, 'id' | 'level' | 'verdict' | 'option'>[];

/** Groups unselected mandatory requirements by the option that would include them. */
export function unjudgedMandatory(verdicts: Verdicts) {
  const left = verdicts.filter(({ level, verdict }) => level === 'must' && verdict === 'not_selected');
  const options = Map.groupBy(left, ({ option }) => option);
  return [...options].map(([option, those]) => ({ option, ids: those.map(({ id }) => id) }));
}

/** Lists at most ten ids, followed by the number of remaining ones. */
export function firstIds(ids: readonly string[]): string {
  return [...ids.slice(0, 10), ...(ids.length > 10 ? [`and ${ids.length - 10} more`] : [])].join(', ');
}

/** Returns a sentence with the options that would test more requirements, or an empty string if none would. */
export function remedyOf(unjudged: ReturnType<typeof unjudgedMandatory>): string {
  const ways = unjudged.flatMap(({ option, ids }) => (option === null ? [] : [`${option} (${firstIds(ids)})`]));
  return ways.length === 0 ? '' : `To check them: ${ways.join('; ')}.`;
}
