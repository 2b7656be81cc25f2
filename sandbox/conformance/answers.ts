/** What the other side has answered to open points, and what that changes. */
import { createHash } from 'node:crypto';
import type { components } from '../../generated/sandbox/types.ts';
import { ownBasis } from '../contract/basis.ts';
import { at } from '../contract/document.ts';
import { loadContract } from '../contract/schemas.ts';
import { isRange } from '../runtime/caller.ts';
import { once } from '../runtime/once.ts';
import type { Finding } from './finding.ts';
import { isOpenPoint } from './statements/rule.ts';

/** Answers to open points, as `answers.yaml` has them. */
export type Answers = components['schemas']['Answers'];
type Answer = components['schemas']['Answer'];
type SettingsChange = components['schemas']['SettingsChange'];

/** The answers where none were given. */
export const noAnswers: Answers = { answers: {} };

/** The settings by the points that they answer: each has its point as `x-basis` in the contract. */
const settingsByPoint = once(() => {
  const described = at(loadContract('sandbox').bundle, '/components/schemas/Settings/properties') as object;
  return Map.groupBy(Object.keys(described), (name) => ownBasis(described[name as never]));
});

/** The settings that can answer a point; none for most. */
export function settingsOf(point: string): readonly string[] {
  return settingsByPoint().get(point) ?? [];
}

/** Findings that rest on the assumed value of a setting. With another one, what was found is as it should be. */
const restOnSetting: readonly {
  readonly code: string;
  /** What the pointer ends with. */
  readonly at: string;
  readonly point: string;
  readonly setting: keyof SettingsChange;
  readonly assumed: string;
}[] = [
  {
    ...{ code: 'request.query.maximum', at: '/limit' },
    ...{ point: 'OP-11', setting: 'limit_above_maximum', assumed: 'refuse' },
  },
  {
    ...{ code: 'reply.rule.vouchers-oldest-first', at: '/validityStartDate' },
    ...{ point: 'OP-27', setting: 'wallet_order', assumed: 'oldest_first' },
  },
];

/** A mistake in answers, and the JSON pointer of the value. */
interface AnswersProblem {
  readonly where: string;
  readonly problem: string;
}

/** Everything that is wrong with answers. */
export function answersProblems(value: unknown): readonly AnswersProblem[] {
  const found = loadContract('sandbox').schemas.check('/components/schemas/Answers')(value) ?? [];
  if (found.length > 0) return found;
  return Object.entries((value as Answers).answers).flatMap(([id, answer]) => problemsOf(id, answer));
}

function problemsOf(id: string, { answer, text, value }: Answer): readonly AnswersProblem[] {
  const where = `/answers/${id}`;
  const problem = (problem: string, within = '') => [{ where: `${where}${within}`, problem }];
  if (!isOpenPoint(id)) return problem('is not an open point. `rewards-sandbox open-points` lists them');
  if (answer === 'differs' && text === undefined) return problem('needs a text that says what applies instead');
  if (answer !== 'settled') return value === undefined ? [] : problem('belongs to the answer settled only', '/value');
  const names = settingsOf(id);
  if (names.length === 0) return problem(`cannot be settled: ${id} has no setting. Use agreed or differs`, '/answer');
  if (value === undefined) return problem(`needs a value with one of ${names.join(', ')}`);
  const other = Object.keys(value).find((name) => !names.includes(name));
  if (other !== undefined) return problem(`is not a setting of ${id}: use ${names.join(', ')}`, `/value/${other}`);
  const [wrong] = loadContract('sandbox').schemas.check('/components/schemas/SettingsChange')(value) ?? [];
  if (wrong !== undefined) return problem(wrong.problem, `/value${wrong.where}`);
  const range = ((value as SettingsChange).allowlist ?? []).findIndex((text) => !isRange(text));
  return range < 0 ? [] : problem('must be an address range such as 10.0.0.0/8', `/value/allowlist/${range}`);
}

/** The settings that settled points give a workspace. */
export function settledSettings({ answers }: Answers): SettingsChange {
  return Object.assign({}, ...Object.values(answers).map(({ value }) => value));
}

/** The answer to what a rule rests on; undefined where nobody has answered, and for a statement. */
export function answerTo(basis: string, { answers }: Answers): Answer | undefined {
  return Object.hasOwn(answers, basis) ? answers[basis] : undefined;
}

type Weighable = Pick<Finding, 'code' | 'pointer' | 'basis' | 'severity' | 'answer'>;

/** The answer that settles what a finding rests on with another value than the assumed one; undefined if there is none. */
function answerWithAnotherValue({ code, pointer }: Weighable, answers: Answers): Answer | undefined {
  const rest = restOnSetting.find((each) => each.code === code && pointer.endsWith(each.at));
  const given = rest && answerTo(rest.point, answers);
  const value = rest && given?.value?.[rest.setting];
  return value === undefined || value === rest?.assumed ? undefined : given;
}

/** Advice about a point: whoever ignores it still keeps the point, so that no answer makes it an error. */
const advice: ReadonlySet<string> = new Set(['reply.trace.answered-in-half-the-time']);

/** A finding as it weighs with the answers. One that only says what was not checked stays as it is. */
export function weighed<F extends Weighable>(found: F, answers: Answers): F {
  if (found.severity === 'notice' || advice.has(found.code)) return found;
  const changed = answerWithAnotherValue(found, answers);
  const given = changed ?? answerTo(found.basis, answers);
  if (given === undefined) return found;
  const { answer, by, date, text } = given;
  const severity = answer === 'differs' || changed !== undefined ? 'notice' : 'error';
  return { ...found, severity, answer: { answer, by, date, ...(text !== undefined && { text }) } };
}

/** An answer in words, such as `agreed on 2026-11-28 by Jane Doe`. */
export function answerWords({ answer, by, date, text }: Pick<Answer, 'answer' | 'by' | 'date' | 'text'>): string {
  const told = text === undefined ? '' : `: ${text}`;
  return answer === 'differs' ? `answered otherwise on ${date} by ${by}${told}` : `${answer} on ${date} by ${by}`;
}

/** SHA-256 of answers, in hex; the same however their file is written. Undefined where there are none. */
export function answersDigest({ answers }: Answers): string | undefined {
  if (Object.keys(answers).length === 0) return undefined;
  const sorted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .toSorted()
            .map(([name, field]) => [name, sorted(field)]),
        );
  return createHash('sha256')
    .update(JSON.stringify(sorted(answers)))
    .digest('hex');
}
