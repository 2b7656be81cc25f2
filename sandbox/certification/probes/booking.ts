/** What probes of the ledger share: plain bookings as steps, calls that are refused, and balances compared. */

import { type Answer, pointsIn } from '../answer.ts';
import { assertInTime, assertSame, describeAnswer, failWith, isRefusal, isSuccess } from '../assertions.ts';
import type { Body, BookingPath } from '../operations.ts';
import type { ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';

/** Points of one booking: few, since they are refunded or deducted afterwards. */
export const points = 7;

/** Values of a field that is wrong, by what is said of it: a field that is undefined is not sent. */
export const [missing, empty] = [{ missing: undefined }, { empty: '' }];

/** Changes to a body, by what is wrong then: each of these fields with each of these values. */
export function eachField(names: readonly string[], values: Body): Readonly<Record<string, Body>> {
  const all = names.flatMap((name) =>
    Object.entries(values).map(([wrong, value]) => [`${name} is ${wrong}`, { [name]: value }] as const),
  );
  return Object.fromEntries(all);
}

/** The balance after a plain credit, which was booked as it should be. Rejects with Blocked if it was not. */
export async function afterCredit(probing: ProbeContext): Promise<number> {
  const before = await probing.balance();
  const answer = await probing.operations.credit(probing.event(points));
  const after = await probing.balance();
  if (isSuccess(answer) && after === before + points) return after;
  throw new Blocked(
    prerequisites.credit,
    `A normal credit of ${points} points changes the balance by ${after - before}.`,
  );
}

/** The balance after a plain deduction, which was booked as it should be. Rejects with Blocked if it was not. */
export async function afterDeduction(probing: ProbeContext): Promise<number> {
  const before = await probing.balance();
  await probing.deduct(points);
  const after = await probing.balance();
  if (after === before - points) return after;
  throw new Blocked(
    prerequisites.deduction,
    `A normal deduction of ${points} points changes the balance by ${after - before}.`,
  );
}

/** The balance after a plain rejection that refunded the deduction. Rejects with Blocked if it did not. */
export async function afterRejection(probing: ProbeContext): Promise<number> {
  const { record } = await probing.deduct(points);
  const before = await probing.balance();
  await probing.report(record.redeemCode, 'Rejected');
  const after = await probing.balance();
  if (after === before + points) return after;
  throw new Blocked(prerequisites.rejection, `Rejected for ${points} points changes the balance by ${after - before}.`);
}

/** The balance is what it should be after these calls. */
export async function balanceIs(
  probing: ProbeContext,
  expected: number,
  after: string,
  answers: readonly Answer[],
): Promise<void> {
  const balance = await probing.balance();
  const message = `After ${after}, the balance is ${balance} instead of ${expected} points.`;
  assertSame(balance, expected, { message, pointer: '/balance', answers });
}

type Total = 'totalEarned' | 'totalRedeemed';

/** A total of the first customer's points. Rejects with Blocked if the server returns none. */
export async function totalOf(probing: ProbeContext, name: Total): Promise<number> {
  const { answer } = await probing.profile();
  const total = pointsIn(answer, name);
  if (Number.isFinite(total)) return total;
  throw new Blocked(['SHP-03', prerequisites.profile], `The profile has no ${name}.`);
}

/** A total is what it should be after these calls. */
export async function totalIs(
  probing: ProbeContext,
  name: Total,
  expected: number,
  answers: readonly Answer[],
): Promise<void> {
  const total = await totalOf(probing, name);
  const message = `${name} is ${total} instead of ${expected}.`;
  assertSame(total, expected, { message, pointer: `/points/${name}`, answers });
}

/** The calls with each of these changes, by what is wrong then: all are refused, and the balance stays. */
export async function refusedWithoutEffect(
  probing: ProbeContext,
  changes: Readonly<Record<string, Body>>,
  send: (change: Body) => Promise<Answer>,
): Promise<void> {
  const before = await probing.balance();
  const answers: Answer[] = [];
  const accepted: string[] = [];
  for (const [wrong, change] of Object.entries(changes)) {
    const answer = await send(change);
    assertInTime(answer, `The call in which ${wrong}`);
    answers.push(answer);
    if (!isRefusal(answer)) accepted.push(`${wrong} (${describeAnswer(answer)})`);
  }
  if (accepted.length > 0) {
    const [all, successes] = [accepted.join(', '), answers.filter((answer) => !isRefusal(answer))];
    failWith(`Not refused although ${all}.`, '/status', 'a refusal, 4xx', all, successes);
  }
  await balanceIs(probing, before, 'refused calls', answers);
}

/** Milliseconds after writing a call before it is dropped: immediately, and while the server is likely to process it. */
const drops = [0, 20];
/** Milliseconds that a server has, beyond its longest response to this path, to complete a call that was dropped. */
const graceMs = 100;

/**
 * Sends a call whose reply is never read, and again: it is unknown whether the server processed it. The server has the
 * time to complete each, so that the next one is a repeat rather than a concurrent call, and so that nothing is booked
 * while another requirement compares balances.
 */
export async function sendLost(probing: ProbeContext, path: BookingPath, body: Body): Promise<void> {
  for (const afterMs of drops) {
    await probing.operations.abandon(path, body, afterMs);
    await probing.wait(probing.operations.longestMs(path) + graceMs);
  }
}

/** The same call several times concurrently. */
export function atOnce(times: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => send(index)));
}
