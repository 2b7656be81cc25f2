/** The other side's answers to open points, and their effect on settings and findings. */
import { hash } from 'node:crypto';
import type { components } from '../../generated/sandbox/types.ts';
import { ownBasis } from '../contract/basis.ts';
import { at } from '../contract/document.ts';
import { loadContract } from '../contract/schemas.ts';
import type { InvalidRequest } from '../domain/failures.ts';
import { once } from '../runtime/caches.ts';
import { isRange } from '../runtime/caller.ts';
import type { Finding } from './finding.ts';
import { isOpenPoint } from './statements/rule.ts';

/** Answers to open points, in the format of `answers.yaml`. */
export type Answers = components['schemas']['Answers'];
type Answer = components['schemas']['Answer'];
type SettingsChange = components['schemas']['SettingsChange'];

/** An empty set of answers. */
export const noAnswers: Answers = { answers: {} };

/** Settings by the open point that they answer, which the contract declares as the setting's `x-basis`. */
const settingsByPoint = once(() => {
  const described = at(loadContract('sandbox').bundle, '/components/schemas/Settings/properties') as object;
  return Map.groupBy(Object.keys(described), (name) => ownBasis(described[name as never]));
});

/** Returns the settings that can answer an open point. Most points have none. */
export function settingsOf(point: string): readonly string[] {
  return settingsByPoint().get(point) ?? [];
}

/**
 * Findings that rest on the assumed value of a setting: the code, the ending of the pointer, the open point, the setting and its
 * assumed value. With any other value, the reported behaviour is correct.
 */
const restOnSetting = [
  ['request.query.maximum', '/limit', 'OP-11', 'limit_above_maximum', 'refuse'],
  ['reply.rule.vouchers-oldest-first', '/validityStartDate', 'OP-27', 'wallet_order', 'oldest_first'],
] as const;

/** Returns all mistakes in the answers. */
export function answersProblems(value: unknown): readonly InvalidRequest[] {
  const found = loadContract('sandbox').schemas.check('/components/schemas/Answers')(value) ?? [];
  if (found.length > 0) return found;
  return Object.entries((value as Answers).answers).flatMap(([id, answer]) => problemsOf(id, answer));
}

function problemsOf(id: string, { answer, text, value }: Answer): readonly InvalidRequest[] {
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

/** Returns the workspace settings that the settled points define. */
export function settledSettings({ answers }: Answers): SettingsChange {
  return Object.assign({}, ...Object.values(answers).map(({ value }) => value));
}

/** Returns the answer to an open point. Returns `undefined` if the point is unanswered or the basis is a statement. */
export function answerTo(basis: string, { answers }: Answers): Answer | undefined {
  return Object.hasOwn(answers, basis) ? answers[basis] : undefined;
}

type Weighable = Pick<Finding, 'code' | 'pointer' | 'basis' | 'severity' | 'answer'>;

/**
 * Returns the answer that settles the setting behind a finding with a value other than the assumed one. Returns `undefined` if
 * there is none.
 */
function answerWithAnotherValue({ code, pointer }: Weighable, answers: Answers): Answer | undefined {
  const rest = restOnSetting.find(([ofCode, ending]) => ofCode === code && pointer.endsWith(ending));
  if (rest === undefined) return undefined;
  const [, , point, setting, assumed] = rest;
  const given = answerTo(point, answers);
  const value = given?.value?.[setting];
  return value === undefined || value === assumed ? undefined : given;
}

/** Findings that are only advice. A caller that ignores them still satisfies the open point, so no answer turns them into errors. */
export const advice: ReadonlySet<string> = new Set([
  'reply.trace.answered-in-half-the-time',
  'reply.rule.recommended-refusal',
]);

/** Returns a finding with the severity that results from the answers. Notices and advice stay unchanged. */
export function weighed<F extends Weighable>(found: F, answers: Answers): F {
  if (found.severity === 'notice' || advice.has(found.code)) return found;
  const changed = answerWithAnotherValue(found, answers);
  const given = changed ?? answerTo(found.basis, answers);
  if (given === undefined) return found;
  const { answer, by, date, text } = given;
  const severity = answer === 'differs' || changed !== undefined ? 'notice' : 'error';
  return { ...found, severity, answer: { answer, by, date, ...(text !== undefined && { text }) } };
}

/** Describes an answer, for example `agreed on 2026-11-28 by Jane Doe`. */
export function answerWords({ answer, by, date, text }: Pick<Answer, 'answer' | 'by' | 'date' | 'text'>): string {
  const suffix = text === undefined ? '' : `: ${text}`;
  return answer === 'differs' ? `answered otherwise on ${date} by ${by}${suffix}` : `${answer} on ${date} by ${by}`;
}

/** Returns the SHA-256 of the answers in hex, or `undefined` if there are none. Key order and file formatting do not affect it. */
export function answersDigest({ answers }: Answers): string | undefined {
  if (Object.keys(answers).length === 0) return undefined;
  const sorted = (_: string, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted());
  return hash('sha256', JSON.stringify(answers, sorted));
}
