/** What the probes of version 2.0 have in common: balances by its own word, and deductions as steps. */

import type { Answer } from '../answer.ts';
import { assertSame, describeAnswer, isSuccess } from '../assertions.ts';
import type { Deduction, Reversal } from '../operations.ts';
import type { ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';

/** Points of one line: few, so that what goes wrong is small. */
export const points = 40;

/** The first customer's balance as version 2.0 tells it. Rejects with Blocked where it tells none. */
export async function readBalance(probing: ProbeContext): Promise<number> {
  const answer = await probing.operations.points(probing.customer);
  const returned = (answer.json as { points?: { balance?: unknown } | null } | null | undefined)?.points;
  const balance = Number(returned?.balance ?? Number.NaN);
  if (isSuccess(answer) && Number.isFinite(balance)) return balance;
  throw new Blocked(
    prerequisites.v2Points,
    `Cannot read the balance of ${probing.customer}: ${describeAnswer(answer)}.`,
  );
}

/** Asserts that the balance changed by this many points. */
export async function changedBy(
  probing: ProbeContext,
  before: number,
  by: number,
  answers: readonly Answer[],
): Promise<void> {
  const balance = await readBalance(probing);
  assertSame(balance, before + by, {
    message: `The balance changed by ${balance - before} instead of ${by} points.`,
    pointer: '/balance',
    answers,
  });
}

/** Deducts points as a step. Rejects with Blocked where that fails. */
export async function redeemLine(probing: ProbeContext): Promise<{ deduction: Deduction; answer: Answer }> {
  const deduction = probing.deduction(points);
  const answer = await probing.operations.redeem(deduction);
  if (!isSuccess(answer))
    throw new Blocked(prerequisites.v2Deduction, `A deduction was refused: ${describeAnswer(answer)}.`);
  return { deduction, answer };
}

/** Gives points back as a step. Rejects with Blocked where that fails. */
export async function reverseLine(probing: ProbeContext, deduction: Deduction): Promise<Answer> {
  const answer = await probing.operations.reverse(reversal(deduction));
  if (!isSuccess(answer))
    throw new Blocked(prerequisites.v2Reversal, `A reversal was refused: ${describeAnswer(answer)}.`);
  return answer;
}

/** The reversal of a deduction. */
export function reversal({ redeem_code, points: deducted }: Deduction): Reversal {
  return { redeem_code, points: deducted, reason: 'Product out of stock' };
}

/** So many equal calls at once. */
export function atOnce(times: number, call: (at: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, (_, at) => call(at)));
}
