/** Evidence from a recording about each open point, and draft answers based on it. */
import { columns, printable } from '../runtime/terminal.ts';
import { type Answers, advice } from './answers.ts';
import { callWords, type Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { registeredPoints } from './open-points.ts';
import { yaml } from './source-lines.ts';

/** The evidence about an open point: the number of calls that satisfied or violated its assumption, with an example of each. */
interface Evidence {
  readonly id: string;
  readonly title: string;
  readonly confirmed: number;
  readonly contradicted: number;
  /** A call that satisfied the assumption, such as `POST /creditPoints -> 200`. */
  readonly example: string | undefined;
  readonly contradiction: Finding | undefined;
}

/** Maximum length of an answer's text, in characters. */
const mostCharacters = 1000;

/** Returns the evidence for each open point, in register order. */
export function evidenceIn({
  open_points: uses,
  findings,
}: Pick<Report, 'open_points' | 'findings'>): readonly Evidence[] {
  const byId = new Map(uses.map((use) => [use.id, use] as const));
  return registeredPoints().map(({ id, title }) => {
    const { kept = 0, violated = 0, example = null } = byId.get(id) ?? {};
    const contradiction = findings.find(({ basis, code }) => basis === id && !advice.has(code));
    return {
      ...{ id, title, confirmed: kept, contradicted: violated, contradiction },
      example: example === null ? undefined : callWords(example),
    };
  });
}

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
