/** What a recording shows about each open point, and answers drafted from it. */
import { columns, printable } from '../runtime/terminal.ts';
import type { Answers } from './answers.ts';
import { callWords, type Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { registeredPoints } from './open-points.ts';
import { yaml } from './source-lines.ts';

/** An open point in a recording: how many calls kept its assumption, how many violated it, and the first that did. */
interface Evidence {
  readonly id: string;
  readonly title: string;
  readonly confirmed: number;
  readonly contradicted: number;
  /** A call that kept the assumption, such as `POST /creditPoints -> 200`. */
  readonly example: string | undefined;
  readonly contradiction: Finding | undefined;
}

/** Most characters of the text of an answer. */
const mostCharacters = 1000;

/** The evidence for each open point, in the order of the register. */
export function evidenceIn({
  open_points: uses,
  findings,
}: Pick<Report, 'open_points' | 'findings'>): readonly Evidence[] {
  const byId = new Map(uses.map((use) => [use.id, use] as const));
  return registeredPoints().map(({ id, title }) => {
    const { kept = 0, violated = 0, example = null } = byId.get(id) ?? {};
    const contradiction = findings.find(({ basis }) => basis === id);
    return {
      ...{ id, title, confirmed: kept, contradicted: violated, contradiction },
      example: example === null ? undefined : callWords(example),
    };
  });
}

/** The evidence as a table, with the calls that contradict an assumption, and the points that no call shows. */
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
 * Answers drafted from the evidence, as `answers.yaml` has them: `agreed` where all calls kept the assumption, `differs` where one
 * violated it. A person has to confirm them: they name the recording as the one who answered.
 *
 * @param source what was recorded, such as the name of its file
 * @param date of the draft, such as `2026-11-28`
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
