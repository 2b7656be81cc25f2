/** Probes of version 2.0 that are about what it tells. */

import type { Answer } from '../answer.ts';
import { assertRefused, assertSame, assertSucceeded, failWith } from '../assertions.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { NotApplicable } from '../verdict.ts';
import { points, readBalance, redeemLine, reverseLine } from './v2-lines.ts';

export const v2ReadingProbes = {
  'V2-01': async (probing) => {
    const answer = await probing.operations.points(probing.customer);
    assertSucceeded(answer, "Reading the customer's points");
    const returned = (answer.json as { points?: { balance?: unknown } | null } | null | undefined)?.points?.balance;
    if (!Number.isFinite(Number(returned ?? Number.NaN)))
      failWith(
        'The response has no balance.',
        '/body/points/balance',
        'a number',
        JSON.stringify(returned) ?? 'nothing',
        [answer],
      );
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

/** The balance in a reply is that of the customer afterwards. */
async function assertBalanceReturned(probing: ProbeContext, answer: Answer): Promise<void> {
  const balance = await readBalance(probing);
  const returned = (answer.json as { balance?: unknown } | null | undefined)?.balance;
  assertSame(Number(returned ?? Number.NaN), balance, {
    message: `The response has a balance of ${JSON.stringify(returned) ?? 'nothing'}, but the customer has ${balance} points.`,
    pointer: '/body/balance',
    answers: [answer],
  });
}
