/** One call that changes the ledger, in whichever version the server has, to be sent in unusual ways. */

import type { Answer } from '../answer.ts';
import { isSuccess, same, unmet, wordsOf } from '../expecting.ts';
import type { Body, Sending } from '../operations.ts';
import type { Probing } from '../probing.ts';
import { hangsOn } from '../requirement.ts';
import { Blocked } from '../verdict.ts';

const points = 7;

/** A call that a right server carries out, and what it changes. */
export interface Booking {
  readonly what: string;
  /** The requirement that it is carried out at all. */
  readonly hangsOn: string;
  readonly body: Body;
  /** By how many points it changes the balance. */
  readonly by: number;
  readonly send: (sending?: Sending, body?: Body) => Promise<Answer>;
}

/** A booking that nobody sent before: a credit, or a deduction where there is version 2.0 only. */
export function booking(probing: Probing): Booking {
  const { operations, input } = probing;
  if (input.api === 'v2') {
    const body: Body = { ...probing.deduction(points) };
    const send: Booking['send'] = (sending, other = body) => operations.redeem(other, sending);
    return { what: 'a deduction', hangsOn: hangsOn.v2Deduction, body, by: -points, send };
  }
  const body: Body = { ...probing.event(points) };
  const send: Booking['send'] = (sending, other = body) => operations.credit(other, sending);
  return { what: 'a credit', hangsOn: hangsOn.credit, body, by: points, send };
}

/** Asks for what the first customer has, as the platform does most often. */
export function readAccount({ operations, input, customer }: Probing, sending?: Sending): Promise<Answer> {
  return input.api === 'v2' ? operations.points(customer, sending) : operations.profile(customer, sending);
}

/** A call was answered, and not by a fault of the server. */
export function bears(answer: Answer, what: string): void {
  const { status } = answer;
  if (status !== undefined && status < 500) return;
  unmet(`${what} caused a server error: ${wordsOf(answer)}.`, '/status', 'below 500', wordsOf(answer), [answer]);
}

/** After a call the server still answers, and the balance is what it has to be. */
export async function unharmed(probing: Probing, balance: number, answer: Answer, what: string): Promise<void> {
  const after = await readAccount(probing);
  if (after.status === undefined)
    unmet(`After ${what}, the server does not respond: ${wordsOf(after)}.`, '', 'a response', wordsOf(after), [
      answer,
      after,
    ]);
  const now = await probing.balance();
  same(now, balance, {
    message: `After ${what} (${wordsOf(answer)}), the balance is ${now} instead of ${balance}.`,
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
  if (!isSuccess(control)) throw new Blocked(by, `The normal call is refused too: ${wordsOf(control)}.`);
  unmet(`${what} failed: ${wordsOf(unusual)}.`, '/status', '200', wordsOf(unusual), [control, unusual]);
}
