/** Probes of version 2.0 replies, and shared helpers for balances and preparatory deductions. */
import { type Answer, jsonOf, pointsIn } from '../answer.ts';
import { assertRefused, assertSame, assertSucceeded, failWith, requireSuccess } from '../assertions.ts';
import type { Deduction, Reversal } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { NotApplicable } from '../verdict.ts';

/** Number of points per line. It is small, to limit the effect of errors. */
export const points = 40;

/** Returns the primary customer's version 2.0 balance. Rejects with `Blocked` if the server returns none. */
export function readBalance(probing: ProbeContext): Promise<number> {
  return probing.balance(probing.customer, 'v2');
}

/** Asserts that the balance changed by `by` points. */
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

/** Deducts points as a preparatory step. Rejects with `Blocked` if the deduction fails. */
export async function redeemLine(probing: ProbeContext): Promise<{ deduction: Deduction; answer: Answer }> {
  const deduction = probing.deduction(points);
  const answer = await probing.operations.redeem(deduction);
  return { deduction, answer: requireSuccess(answer, prerequisites.v2Deduction, 'A deduction') };
}

/** Reverses a deduction as a preparatory step. Rejects with `Blocked` if the reversal fails. */
export async function reverseLine(probing: ProbeContext, deduction: Deduction): Promise<Answer> {
  const answer = await probing.operations.reverse(reversal(deduction));
  return requireSuccess(answer, prerequisites.v2Reversal, 'A reversal');
}

/** Builds the reversal of a deduction. */
export function reversal({ redeem_code, points: deducted }: Deduction): Reversal {
  return { redeem_code, points: deducted, reason: 'Product out of stock' };
}

export const v2ReadingProbes = {
  'V2-01': async (probing) => {
    const answer = await probing.operations.points(probing.customer);
    assertSucceeded(answer, "Reading the customer's points");
    const { points: returned } = (jsonOf(answer) ?? {}) as { points?: { balance?: unknown } | null };
    const actual = JSON.stringify(returned?.balance) ?? 'nothing';
    if (!Number.isFinite(pointsIn(answer)))
      failWith('The response has no balance.', '/body/points/balance', 'a number', actual, [answer]);
  },
  'V2-16': async (probing) => {
    if (probing.input.api !== 'both') throw new NotApplicable('It applies only to servers with both versions.');
    const before = await probing.balance();
    const { answer } = await redeemLine(probing);
    const balance = await probing.balance();
    assertSame(balance, before - points, {
      message: `A version 2.0 deduction of ${points} points changed the version 1.0 balance by ${balance - before}.`,
      pointer: '/balance',
      answers: [answer],
    });
  },
  'V2-17': async (probing) => {
    const { deduction, answer } = await redeemLine(probing);
    await assertBalanceReturned(probing, answer);
    await assertBalanceReturned(probing, await reverseLine(probing, deduction));
  },
  'V2-18': async (probing) => {
    const nobody = probing.fresh();
    assertRefused(await probing.operations.points(nobody), 'Reading the points of an unknown customer');
    const deduction = probing.deduction(points, { customer_id: nobody });
    assertRefused(await probing.operations.redeem(deduction), 'A deduction for an unknown customer');
  },
} satisfies Record<string, Probe>;

/** Asserts that the balance in a reply equals the customer's new balance. */
async function assertBalanceReturned(probing: ProbeContext, answer: Answer): Promise<void> {
  const balance = await readBalance(probing);
  const returned = (jsonOf(answer) as { balance?: unknown } | null | undefined)?.balance;
  assertSame(Number(returned ?? Number.NaN), balance, {
    message: `The response has a balance of ${JSON.stringify(returned) ?? 'nothing'}, but the customer has ${balance} points.`,
    pointer: '/body/balance',
    answers: [answer],
  });
}
