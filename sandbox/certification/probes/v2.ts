/** Probes of version 2.0: reading, deducting and reversing points. Each booking takes effect once, and within the balance. */
import { type Answer, fieldsIn, objectIn, pointsIn } from '../answer.ts';
import {
  assertComplete,
  assertRefused,
  assertSame,
  assertSucceeded,
  failWith,
  isSuccess,
  requireSuccess,
} from '../assertions.ts';
import type { Deduction, Reversal } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked, NotApplicable } from '../verdict.ts';
import { atOnce, sendLost } from './booking.ts';

/** Number of points per line. It is small, to limit the effect of errors. */
const points = 40;

/** Number of concurrent deductions. Each exceeds a tenth of the balance, so at most `covered` can succeed. */
const [many, covered] = [50, 9];

export const v2Probes = {
  'V2-01': async (probing) => {
    const answer = await probing.operations.points(probing.customer);
    assertSucceeded(answer, "Reading the customer's points");
    const actual = JSON.stringify(objectIn(answer, 'points')?.balance) ?? 'nothing';
    if (!Number.isFinite(pointsIn(answer)))
      failWith('The response has no balance.', '/body/points/balance', 'a number', actual, [answer]);
  },
  'V2-02': changes(-points, async (probing) => {
    const answer = await probing.operations.redeem(probing.deduction(points));
    return [assertComplete(answer, 'The deduction')];
  }),
  'V2-03': async (probing) => {
    const { deduction, answer: deducted } = await redeemLine(probing);
    await assertChange(probing, points, async () => {
      const answer = await probing.operations.reverse(reversal(deduction));
      return [deducted, assertComplete(answer, 'The reversal', [deducted])];
    });
  },
  'V2-04': changes(-points, async (probing) => {
    const { deduction, answer } = await redeemLine(probing);
    const again = await probing.operations.redeem(deduction);
    return [answer, assertSucceeded(again, 'The repeated deduction', [answer])];
  }),
  'V2-05': async (probing) => {
    const before = await readBalance(probing);
    const deduction = probing.deduction(points);
    const answers = await atOnce(10, () => probing.operations.redeem(deduction));
    await changedBy(probing, before, answers.some(isSuccess) ? -points : 0, answers);
  },
  'V2-06': async (probing) => {
    await redeemLine(probing);
    const before = await readBalance(probing);
    const deduction = probing.deduction(points);
    await sendLost(probing, 'redeem', deduction);
    const again = await probing.operations.redeem(deduction);
    assertSucceeded(again, 'A deduction whose response was lost');
    await changedBy(probing, before, -points, [again]);
  },
  'V2-07': async (probing) => {
    const before = await readBalance(probing);
    const each = Math.floor(before / 10) + 1;
    const answers = await atOnce(many, () => probing.operations.redeem(probing.deduction(each)));
    const done = answers.filter(isSuccess);
    const after = await readBalance(probing);
    if (done.length > 0 && after === before)
      throw new Blocked(prerequisites.v2Deduction, 'Successful deductions do not change the balance.');
    if (after < 0 || done.length > covered)
      failWith(
        `${done.length} of ${many} concurrent deductions of ${each} points succeeded with a balance of ${before}; the balance is now ${after}.`,
        '/balance',
        `at most ${covered} of them, and a balance of 0 or more`,
        `${done.length} of them, and a balance of ${after}`,
        done,
      );
  },
  'V2-08': refusedUnchanged('A deduction of one point more than the balance', (probing, before) =>
    probing.operations.redeem(probing.deduction(before + 1)),
  ),
  'V2-09': async (probing) => {
    const { deduction, answer } = await redeemLine(probing);
    const other = await probing.operations.redeem({ ...deduction, points: points + 1 });
    assertRefused(other, 'A deduction of other points with a used redeem_code', [answer]);
  },
  'V2-10': changes(0, async (probing) => {
    const answers: Answer[] = [];
    for (const name of ['customer_id', 'order_id', 'redeem_code', 'points']) {
      const answer = await probing.operations.redeem({ ...probing.deduction(points), [name]: undefined });
      answers.push(assertRefused(answer, `A deduction without ${name}`));
    }
    return answers;
  }),
  'V2-11': async (probing) => {
    const { deduction } = await redeemLine(probing);
    const first = await reverseLine(probing, deduction);
    await assertChange(probing, 0, async () => {
      const again = await probing.operations.reverse(reversal(deduction));
      return [first, assertSucceeded(again, 'The repeated reversal', [first])];
    });
  },
  'V2-12': async (probing) => {
    const { deduction } = await redeemLine(probing);
    const before = await readBalance(probing);
    const answers = await atOnce(10, () => probing.operations.reverse(reversal(deduction)));
    // Another requirement tests that a reversal refunds points.
    const after = await readBalance(probing);
    const message = `Ten reversals of ${points} points refunded ${after - before}.`;
    if (after > before + points) failWith(message, '/balance', String(before + points), String(after), answers);
  },
  'V2-13': async (probing) => {
    const { deduction, answer } = await redeemLine(probing);
    const larger = { ...reversal(deduction), points: points + 1 };
    const what = 'A reversal of more points than deducted';
    await assertRefusedUnchanged(probing, what, () => probing.operations.reverse(larger), [answer]);
  },
  'V2-14': refusedUnchanged('A reversal of an unknown redeem_code', (probing) =>
    probing.operations.reverse(reversal(probing.deduction(points))),
  ),
  'V2-15': changes(0, async (probing) => {
    const deduction = probing.deduction(points);
    const early = await probing.operations.reverse(reversal(deduction));
    const answer = await probing.operations.redeem(deduction);
    return [early, assertRefused(answer, 'A deduction that arrives after its reversal', [early])];
  }),
  'V2-16': async (probing) => {
    if (probing.input.api !== 'both') throw new NotApplicable('It applies only to servers with both versions.');
    const before = await probing.balance();
    const { answer } = await redeemLine(probing);
    const balance = await probing.balance();
    const message = `A version 2.0 deduction of ${points} points changed the version 1.0 balance by ${balance - before}.`;
    assertSame(balance, before - points, { message, pointer: '/balance', answers: [answer] });
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
  'V2-19': async (probing) => {
    const { deduction } = await redeemLine(probing);
    const given = await reverseLine(probing, deduction);
    const what = 'A deduction with a reversed redeem_code';
    await assertRefusedUnchanged(probing, what, () => probing.operations.redeem(deduction), [given]);
  },
  'V2-20': refusedUnchanged('A deduction of negative points', (probing) =>
    probing.operations.redeem(probing.deduction(-points)),
  ),
  'V2-21': async (probing) => {
    const deduction = probing.deduction(points);
    const answer = await probing.operations.redeem({ ...deduction, points: String(points) });
    assertRefused(answer, 'A deduction of points as a string');
  },
} satisfies Record<string, Probe>;

/** Returns the primary customer's version 2.0 balance. Rejects with `Blocked` if the server returns none. */
function readBalance(probing: ProbeContext): Promise<number> {
  return probing.balance(probing.customer, 'v2');
}

/** Asserts that the balance changed by `by` points. */
async function changedBy(probing: ProbeContext, before: number, by: number, answers: readonly Answer[]): Promise<void> {
  const balance = await readBalance(probing);
  const message = `The balance changed by ${balance - before} instead of ${by} points.`;
  assertSame(balance, before + by, { message, pointer: '/balance', answers });
}

/** Asserts that calls, which resolve with their answers, change the balance by `by` points. */
async function assertChange(
  probing: ProbeContext,
  by: number,
  act: (before: number) => Promise<readonly Answer[]>,
): Promise<void> {
  const before = await readBalance(probing);
  await changedBy(probing, before, by, await act(before));
}

/** Makes a probe that calls, which resolve with their answers, change the balance by `by` points. */
function changes(by: number, act: (probing: ProbeContext) => Promise<readonly Answer[]>): Probe {
  return (probing) => assertChange(probing, by, () => act(probing));
}

/** Asserts that a call is refused and does not change the balance. `earlier` are the calls that prepared it. */
function assertRefusedUnchanged(
  probing: ProbeContext,
  what: string,
  send: (before: number) => Promise<Answer>,
  earlier: readonly Answer[] = [],
): Promise<void> {
  return assertChange(probing, 0, async (before) => [...earlier, assertRefused(await send(before), what, earlier)]);
}

/** Makes a probe that a call is refused and does not change the balance. */
function refusedUnchanged(what: string, send: (probing: ProbeContext, before: number) => Promise<Answer>): Probe {
  return (probing) => assertRefusedUnchanged(probing, what, (before) => send(probing, before));
}

/** Deducts points as a preparatory step. Rejects with `Blocked` if the deduction fails. */
async function redeemLine(probing: ProbeContext) {
  const deduction = probing.deduction(points);
  const answer = await probing.operations.redeem(deduction);
  return { deduction, answer: requireSuccess(answer, prerequisites.v2Deduction, 'A deduction') };
}

/** Reverses a deduction as a preparatory step. Rejects with `Blocked` if the reversal fails. */
async function reverseLine(probing: ProbeContext, deduction: Deduction): Promise<Answer> {
  const answer = await probing.operations.reverse(reversal(deduction));
  return requireSuccess(answer, prerequisites.v2Reversal, 'A reversal');
}

function reversal({ redeem_code, points: deducted }: Deduction): Reversal {
  return { redeem_code, points: deducted, reason: 'Product out of stock' };
}

/** Asserts that the balance in a reply equals the customer's new balance. */
async function assertBalanceReturned(probing: ProbeContext, answer: Answer): Promise<void> {
  const balance = await readBalance(probing);
  const { balance: returned } = fieldsIn(answer);
  assertSame(Number(returned ?? Number.NaN), balance, {
    message: `The response has a balance of ${JSON.stringify(returned) ?? 'nothing'}, but the customer has ${balance} points.`,
    pointer: '/body/balance',
    answers: [answer],
  });
}
