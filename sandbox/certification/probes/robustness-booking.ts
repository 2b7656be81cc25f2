/** One call that changes the ledger, in whichever version the server has, to be sent in unusual ways. */

import type { Answer } from '../answer.ts';
import { assertSame, describeAnswer, failWith, isSuccess } from '../assertions.ts';
import type { Body, Sending } from '../operations.ts';
import type { ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';

const points = 7;

/** A call that a right server carries out, and what it changes. */
export interface Booking {
  readonly what: string;
  /** The requirement that it is carried out at all. */
  readonly prerequisite: string;
  readonly body: Body;
  /** By how many points it changes the balance. */
  readonly by: number;
  readonly send: (sending?: Sending, body?: Body) => Promise<Answer>;
}

/** A booking that nobody sent before: a credit, or a deduction where there is version 2.0 only. */
export function booking(probing: ProbeContext): Booking {
  const { operations, input } = probing;
  if (input.api === 'v2') {
    const body: Body = { ...probing.deduction(points) };
    const send: Booking['send'] = (sending, other = body) => operations.redeem(other, sending);
    return { what: 'a deduction', prerequisite: prerequisites.v2Deduction, body, by: -points, send };
  }
  const body: Body = { ...probing.event(points) };
  const send: Booking['send'] = (sending, other = body) => operations.credit(other, sending);
  return { what: 'a credit', prerequisite: prerequisites.credit, body, by: points, send };
}

/** Asks for what the first customer has, as the platform does most often. */
export function readAccount({ operations, input, customer }: ProbeContext, sending?: Sending): Promise<Answer> {
  return input.api === 'v2' ? operations.points(customer, sending) : operations.profile(customer, sending);
}

/** A call was answered, and not by a fault of the server. */
export function assertNoServerError(answer: Answer, what: string): void {
  const { status } = answer;
  if (status !== undefined && status < 500) return;
  failWith(
    `${what} caused a server error: ${describeAnswer(answer)}.`,
    '/status',
    'below 500',
    describeAnswer(answer),
    [answer],
  );
}

/** After a call the server still answers, and the balance is what it has to be. */
export async function assertUnharmed(
  probing: ProbeContext,
  balance: number,
  answer: Answer,
  what: string,
): Promise<void> {
  const after = await readAccount(probing);
  if (after.status === undefined)
    failWith(
      `After ${what}, the server does not respond: ${describeAnswer(after)}.`,
      '',
      'a response',
      describeAnswer(after),
      [answer, after],
    );
  const now = await probing.balance();
  assertSame(now, balance, {
    message: `After ${what} (${describeAnswer(answer)}), the balance is ${now} instead of ${balance}.`,
    pointer: '/balance',
    answers: [answer],
  });
}

/** What is sent in an unusual way is carried out, provided that the same is carried out when sent as usual. */
export async function carriedOutAsUsual(
  unusual: Answer,
  what: string,
  usual: () => Promise<Answer>,
  by: string,
): Promise<void> {
  if (isSuccess(unusual)) return;
  const control = await usual();
  if (!isSuccess(control)) throw new Blocked(by, `The normal call is refused too: ${describeAnswer(control)}.`);
  failWith(`${what} failed: ${describeAnswer(unusual)}.`, '/status', '200', describeAnswer(unusual), [
    control,
    unusual,
  ]);
}
