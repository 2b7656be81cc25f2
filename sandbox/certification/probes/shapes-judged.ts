/** Before a response is validated against the contract: it must be one whose shape is stated. */
import type { Answer } from '../answer.ts';
import { describeAnswer, isRefusal, isSuccess } from '../assertions.ts';
import { Blocked, NotApplicable } from '../verdict.ts';

/** A call that was carried out, as a step. Throws Blocked by the requirement that it is, where it was not. */
export function done(answer: Answer, by: string, what: string): Answer {
  if (!isSuccess(answer)) throw new Blocked(by, `${what} was refused: ${describeAnswer(answer)}.`);
  return answer;
}

/**
 * A 422 to a call that has to be refused, as a step. Throws Blocked by the requirement that it is refused, and
 * NotApplicable where it is refused in another way, which no envelope is stated for.
 */
export function refusal(answer: Answer, by: string, what: string): Answer {
  if (!isRefusal(answer)) throw new Blocked(by, `${what} was not refused: ${describeAnswer(answer)}.`);
  if (answer.status !== 422)
    throw new NotApplicable(
      `${what} was refused with ${answer.status}, and the interface specifies an envelope for 422 only.`,
    );
  return answer;
}

/** A part of a body that is an object; undefined where it is none. */
export function part(answer: Answer, name: string): Readonly<Record<string, unknown>> | undefined {
  const found = (answer.json as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : undefined;
}
