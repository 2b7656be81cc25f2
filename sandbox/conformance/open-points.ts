/** The open points of the interface with the traffic that relies on them, and a questionnaire for the other side. */
import { readFileSync } from 'node:fs';
import type { components as ofProxy } from '../../generated/proxy/types.ts';
import type { components, operations } from '../../generated/sandbox/types.ts';
import { once } from '../runtime/caches.ts';
import { csvText } from '../runtime/csv.ts';
import { columns, printable } from '../runtime/terminal.ts';
import { type Answers, advice, answerTo, answerWords, settingsOf } from './answers.ts';
import { projectRoot } from './contracts.ts';
import { callWords, type Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { yaml } from './source-lines.ts';

/** A row of docs/register.yaml: a question that the interface leaves open. */
export interface RegisteredPoint {
  readonly id: string;
  readonly title: string;
  readonly open: string;
  readonly choice: string;
  /** The request to the other side. */
  readonly next: string;
  /** The operations concerned, or all if omitted. */
  readonly operations?: readonly string[];
  /** Whether the point must be settled before going live. */
  readonly blocks?: true;
  /** The reason that a workspace has settings for the answer. */
  readonly settle?: string;
  readonly since: string;
}

/** The register, which does not change while the process runs. It is loaded on demand, because most runs do not need it. */
export const registeredPoints = once(
  () => yaml().parse(readFileSync(new URL('docs/register.yaml', projectRoot), 'utf8')) as readonly RegisteredPoint[],
);

/** An open point with the traffic that relies on it. */
export type OpenPoint = components['schemas']['OpenPoint'];
/** Filters for open points. An omitted field matches all points. */
export type OpenPointsAsk = NonNullable<operations['listOpenPoints']['parameters']['query']>;

/** Returns the requested points, in register order. */
export function openPoints(
  uses: readonly ofProxy['schemas']['OpenPointUse'][],
  answers: Answers,
  { relied_on, blocks, answered }: OpenPointsAsk,
): OpenPoint[] {
  const byId = new Map(uses.map((use) => [use.id, use] as const));
  const all = registeredPoints().map((point): OpenPoint => {
    const { id, title, open, choice, next, operations: concerned = [] } = point;
    const use = byId.get(id) ?? { id, kept: 0, violated: 0, example: null };
    const answer = answerTo(id, answers);
    const text = { title, question: open, assumption: choice, ask: next };
    return {
      ...use,
      ...text,
      operations: [...concerned],
      settings: [...settingsOf(id)],
      blocks: point.blocks === true,
      ...(answer && { answer }),
    };
  });
  return all.filter(
    (point) =>
      isWanted(relied_on, timesOf(point) > 0) &&
      isWanted(blocks, point.blocks) &&
      isWanted(answered, point.answer !== undefined),
  );
}

function isWanted(wanted: 'yes' | 'no' | undefined, is: boolean): boolean {
  return wanted === undefined || (wanted === 'yes') === is;
}

/** Returns the number of calls that relied on a point. */
function timesOf({ kept, violated }: OpenPoint): number {
  return kept + violated;
}

/** Output formats for open points, besides JSON. */
export const openPointFormats = { table, csv, markdown } as const;

const titles = ['ID', 'BLOCKS', 'CALLS', 'VIOLATED', 'ANSWER', 'EXAMPLE', 'TITLE'];

function table(points: readonly OpenPoint[]): string {
  const rows = points.map((point) => [
    ...[point.id, point.blocks ? 'yes' : '', String(timesOf(point)), String(point.violated)],
    ...[point.answer?.answer ?? '', exampleWords(point), point.title],
  ]);
  return columns([titles, ...rows]);
}

function exampleWords({ example }: OpenPoint): string {
  if (example === null) return '';
  return `${example.operation}${example.trace === null ? ` #${example.number}` : ` ${example.trace}`}`;
}

/** Formats the points as CSV (RFC 4180), with one row per point. */
function csv(points: readonly OpenPoint[]): string {
  const head = 'id,title,blocks,calls,violated,operation,example,trace,question,assumption,ask,operations,answer';
  const rows = points.map((point) => {
    const { id, title, blocks, violated, example, question, assumption, ask } = point;
    const call = example === null ? ['', '', ''] : [example.operation, callWords(example), example.trace ?? ''];
    const texts = [question, assumption, ask, point.operations.join(' ')];
    const answer = point.answer ? answerWords(point.answer) : '';
    return [id, title, String(blocks), String(timesOf(point)), String(violated), ...call, ...texts, answer];
  });
  return csvText([head.split(','), ...rows]);
}

/** Formats the points as a questionnaire for the other side, with space for each answer. */
function markdown(points: readonly OpenPoint[]): string {
  const intro = [
    '# Open points',
    'The interface does not answer these questions. For each point, please confirm our assumption or write down what applies instead.',
  ];
  return `${[...intro, ...points.flatMap(questionOf)].join('\n\n')}\n`;
}

const unanswered = ['**Your answer:** [ ] the assumption holds [ ] it differs:', '&nbsp;', '**Answered by, on:**'];

function questionOf(point: OpenPoint): string[] {
  const { id, title, question, assumption, operations: concerned, blocks, example } = point;
  const about = concerned.length === 0 ? 'all operations' : concerned.join(', ');
  const times = timesOf(point);
  const relied =
    example === null ? 'no recorded call relies on it' : `${times} ${times === 1 ? 'call relies' : 'calls rely'} on it`;
  const call = example === null ? '' : `, for example \`${callWords(example).replaceAll('`', "'")}\``;
  const trace = example?.trace ? ` (trace \`${example.trace.replaceAll('`', "'")}\`)` : '';
  return [
    `## ${id}: ${title}`,
    `**Question:** ${question}`,
    `**Our assumption:** ${assumption}`,
    `**Why it matters:** it concerns ${about}; ${relied}${call}${trace}.${blocks ? ' It blocks going live.' : ''}`,
    ...(point.answer === undefined ? unanswered : [`**Your answer:** ${answerWords(point.answer)}.`]),
  ];
}

/** Evidence from a recording about each open point, and draft answers based on it. */

/** Maximum length of an answer's text, in characters. */
const mostCharacters = 1000;

/**
 * Returns the evidence for each open point, in register order: the number of calls that satisfied or violated its assumption, with an
 * example of each.
 */
export function evidenceIn({ open_points: uses, findings }: Pick<Report, 'open_points' | 'findings'>) {
  const byId = new Map(uses.map((use) => [use.id, use] as const));
  return registeredPoints().map(({ id, title }) => {
    const { kept: confirmed = 0, violated: contradicted = 0, example: call = null } = byId.get(id) ?? {};
    const contradiction = findings.find(({ basis, code }) => basis === id && !advice.has(code));
    return { id, title, confirmed, contradicted, contradiction, example: call === null ? undefined : callWords(call) };
  });
}

type Evidence = ReturnType<typeof evidenceIn>[number];

/** Formats the evidence as a table, followed by the contradicting calls and the points without evidence. */
export function evidenceText(all: readonly Evidence[]): string {
  const seen = all.filter(({ confirmed, contradicted }) => confirmed + contradicted > 0);
  const unseen = all.filter((one) => !seen.includes(one)).map(({ id }) => id);
  const titles = ['ID', 'CONFIRMED', 'CONTRADICTED', 'TITLE'];
  const rows = seen.map(({ id, confirmed, contradicted, title }) => [id, times(confirmed), times(contradicted), title]);
  const contradictions = seen.flatMap(({ id, contradiction }) =>
    contradiction === undefined ? [] : [`${id}: ${contradictionWords(contradiction)}`],
  );
  return [
    `Open points: ${seen.length} seen, ${seen.filter(({ contradicted }) => contradicted > 0).length} of them contradicted\n`,
    columns([titles, ...rows]),
    ...contradictions.map((line) => `${printable(line)}\n`),
    unseen.length === 0 ? '' : `Not seen: ${unseen.join(', ')}\n`,
  ].join('');
}

/**
 * Drafts answers from the evidence, in the format of `answers.yaml`. A point is `agreed` if all calls satisfied its assumption, and
 * `differs` if one violated it. A person must confirm each draft, because it names only the recording as its author.
 *
 * @param source the recording, such as the name of its file
 * @param date the date of the draft, such as `2026-11-28`
 */
export function draftAnswers(all: readonly Evidence[], source: string, date: string): string {
  const by = `unconfirmed, from ${source.trim()}`.slice(0, 100);
  const answers: Answers['answers'] = {};
  for (const { id, confirmed, contradicted, example, contradiction } of all) {
    if (contradicted > 0) {
      const where = contradiction === undefined ? '' : `, such as ${contradictionWords(contradiction)}`;
      const text = `${contradicted} of ${confirmed + contradicted} calls contradict the assumption${where}`;
      answers[id] = { answer: 'differs', by, date, text: text.slice(0, mostCharacters) };
    } else if (confirmed > 0) {
      const text = `${confirmed} ${confirmed === 1 ? 'call keeps' : 'calls keep'} the assumption, such as ${example}`;
      answers[id] = { answer: 'agreed', by, date, text: text.slice(0, mostCharacters) };
    }
  }
  const note = [
    '# Drafted from recorded calls. Confirm each answer with the other side: put the name of who answered in `by`,',
    '# and delete what nobody confirmed. An answer counts as soon as the file is used.',
  ];
  return `${note.join('\n')}\n${yaml().stringify({ answers }, { lineWidth: 0 })}`;
}

function times(count: number): string {
  return count === 0 ? '' : String(count);
}

function contradictionWords({ pointer, expected, actual, ...call }: Finding): string {
  return `${callWords(call)}: ${pointer}: ${expected}; found ${actual}`;
}
