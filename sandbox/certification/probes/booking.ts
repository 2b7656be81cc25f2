/** Shared helpers of ledger probes: preparatory bookings, refused calls and balance checks. */

import { type Answer, pointsIn } from '../answer.ts';
import { assertInTime, assertSame, describeAnswer, failWith, isRefusal, isSuccess } from '../assertions.ts';
import { type Body, type Booking, bookings } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';

/** Number of points per booking. It is small, because each booking is reversed afterwards. */
export const points = 7;

/** Invalid field values, by their description. A field with the value `undefined` is not sent. */
export const [missing, empty] = [{ missing: undefined }, { empty: '' }];

/** Changes to a body, by their description. */
export type Changes = Readonly<Record<string, Body>>;

/** Combines each field with each invalid value. */
export function eachField(names: readonly string[], values: Body): Changes {
  const wrong = Object.entries(values);
  const all = names.flatMap((name) => wrong.map(([what, value]) => [`${name} is ${what}`, { [name]: value }] as const));
  return Object.fromEntries(all);
}

/** Credits points and returns the new balance. Rejects with `Blocked` if the credit was not booked correctly. */
export async function afterCredit(probing: ProbeContext): Promise<number> {
  const before = await probing.balance();
  const answer = await probing.operations.credit(probing.event(points));
  const after = await probing.balance();
  if (isSuccess(answer) && after === before + points) return after;
  const message = `A normal credit of ${points} points changes the balance by ${after - before}.`;
  throw new Blocked(prerequisites.credit, message);
}

/** Deducts points and returns the new balance. Rejects with `Blocked` if the deduction was not booked correctly. */
export async function afterDeduction(probing: ProbeContext): Promise<number> {
  const before = await probing.balance();
  await probing.deduct(points);
  const after = await probing.balance();
  if (after === before - points) return after;
  const message = `A normal deduction of ${points} points changes the balance by ${after - before}.`;
  throw new Blocked(prerequisites.deduction, message);
}

/** Deducts and rejects points, and returns the new balance. Rejects with `Blocked` if they were not refunded. */
export async function afterRejection(probing: ProbeContext): Promise<number> {
  const { record } = await probing.deduct(points);
  const before = await probing.balance();
  await probing.report(record.redeemCode, 'Rejected');
  const after = await probing.balance();
  if (after === before + points) return after;
  throw new Blocked(prerequisites.rejection, `Rejected for ${points} points changes the balance by ${after - before}.`);
}

/** Asserts the balance after the given calls. */
export async function balanceIs(probing: ProbeContext, expected: number, after: string, answers: readonly Answer[]) {
  const balance = await probing.balance();
  const message = `After ${after}, the balance is ${balance} instead of ${expected} points.`;
  assertSame(balance, expected, { message, pointer: '/balance', answers });
}

type Total = 'totalEarned' | 'totalRedeemed';

/** Returns a total of the primary customer's points. Rejects with `Blocked` if the server returns none. */
async function totalOf(probing: ProbeContext, name: Total): Promise<number> {
  const { answer } = await probing.profile();
  const total = pointsIn(answer, name);
  if (Number.isFinite(total)) return total;
  throw new Blocked(['SHP-03', prerequisites.profile], `The profile has no ${name}.`);
}

/** Asserts that a booking adds its points to a total. */
export async function totalGrows(probing: ProbeContext, name: Total, book: () => Promise<Answer>): Promise<void> {
  const expected = (await totalOf(probing, name)) + points;
  const answers = [await book()];
  const total = await totalOf(probing, name);
  const message = `${name} is ${total} instead of ${expected}.`;
  assertSame(total, expected, { message, pointer: `/points/${name}`, answers });
}

/** Asserts that calls with each change are refused and do not change the balance. */
export async function refusedWithoutEffect(
  probing: ProbeContext,
  changes: Changes,
  send: (change: Body) => Promise<Answer>,
): Promise<void> {
  const before = await probing.balance();
  const answers: Answer[] = [];
  const accepted = new Map<string, Answer>();
  for (const [wrong, change] of Object.entries(changes)) {
    const answer = await send(change);
    assertInTime(answer, `The call in which ${wrong}`);
    answers.push(answer);
    if (!isRefusal(answer)) accepted.set(`${wrong} (${describeAnswer(answer)})`, answer);
  }
  const all = [...accepted.keys()].join(', ');
  if (all !== '') failWith(`Not refused although ${all}.`, '/status', 'a refusal, 4xx', all, [...accepted.values()]);
  await balanceIs(probing, before, 'refused calls', answers);
}

/** Delays between sending a call and dropping it, in milliseconds: none, and one during likely processing. */
const drops = [0, 20];
/** Time for completing a dropped call, in addition to the longest response time of its path, in milliseconds. */
const graceMs = 100;

/**
 * Sends a call several times without reading its reply, so the outcome is unknown. Waits until the server should have
 * completed each call. The next call is then a repeat instead of a concurrent one, and no late booking affects the balance
 * checks of other requirements.
 */
export async function sendLost(probing: ProbeContext, booking: Booking, body: Body): Promise<void> {
  for (const afterMs of drops) {
    await probing.operations.abandon(booking, body, afterMs);
    await probing.wait(probing.run.partner.longestMs(bookings[booking]) + graceMs);
  }
}

/** Makes several calls concurrently. Resolves with all answers. */
export function atOnce(times: number, send: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, () => send()));
}

/** Sends a booking several times: with `book`, or with `lose` if its response must be lost. Resolves with the answers. */
type Repeat = (book: (change?: Body) => Promise<Answer>, lose: () => Promise<void>) => Promise<readonly Answer[]>;

export const twice: Repeat = async (book) => [await book(), await book()];
export const tenAtOnce: Repeat = (book) => atOnce(10, book);
export const afterLoss: Repeat = async (book, lose) => {
  await lose();
  return [await book()];
};

/**
 * Returns a function that makes probes. They assert that a booking, sent several times, changes the balance by `by` points.
 * `prepare` resolves with the balance before the booking, and with its body.
 */
export function bookedOnce(
  booking: Booking,
  by: number,
  prepare: (probing: ProbeContext) => Promise<readonly [before: number, body: Body]>,
) {
  return (after: string, repeat: Repeat): Probe =>
    async (probing) => {
      const [before, body] = await prepare(probing);
      const book = (change: Body = {}) => probing.operations[booking]({ ...body, ...change });
      const answers = await repeat(book, () => sendLost(probing, booking, body));
      await balanceIs(probing, before + by, after, answers);
    };
}
