/** Probes of `redeemPoints` and `reversePoints`: each takes effect exactly once, and within the balance. */
import type { Answer } from '../answer.ts';
import { assertComplete, assertRefused, assertSucceeded, failWith, isSuccess } from '../assertions.ts';
import type { Probe } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';
import { atOnce, sendLost } from './booking.ts';
import { changedBy, points, readBalance, redeemLine, reversal, reverseLine } from './v2-lines.ts';

/** Number of concurrent deductions. Each exceeds a tenth of the balance, so at most `covered` can succeed. */
const [many, covered] = [50, 9];

export const v2DeductionProbes = {
  'V2-02': async (probing) => {
    const before = await readBalance(probing);
    const answer = await probing.operations.redeem(probing.deduction(points));
    assertComplete(answer, 'The deduction');
    await changedBy(probing, before, -points, [answer]);
  },
  'V2-04': async (probing) => {
    const before = await readBalance(probing);
    const { deduction, answer } = await redeemLine(probing);
    const again = await probing.operations.redeem(deduction);
    assertSucceeded(again, 'The repeated deduction', [answer]);
    await changedBy(probing, before, -points, [answer, again]);
  },
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
    await sendLost(probing, '/api/v1/orders/redeem', deduction);
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
  'V2-08': async (probing) => {
    const before = await readBalance(probing);
    const answer = await probing.operations.redeem(probing.deduction(before + 1));
    assertRefused(answer, 'A deduction of one point more than the balance');
    await changedBy(probing, before, 0, [answer]);
  },
  'V2-09': async (probing) => {
    const { deduction, answer } = await redeemLine(probing);
    const other = await probing.operations.redeem({ ...deduction, points: points + 1 });
    assertRefused(other, 'A deduction of other points with a used redeem_code', [answer]);
  },
  'V2-10': async (probing) => {
    const before = await readBalance(probing);
    const answers: Answer[] = [];
    for (const name of ['customer_id', 'order_id', 'redeem_code', 'points']) {
      const answer = await probing.operations.redeem({ ...probing.deduction(points), [name]: undefined });
      assertRefused(answer, `A deduction without ${name}`);
      answers.push(answer);
    }
    await changedBy(probing, before, 0, answers);
  },
  'V2-19': async (probing) => {
    const { deduction } = await redeemLine(probing);
    const given = await reverseLine(probing, deduction);
    const before = await readBalance(probing);
    const again = await probing.operations.redeem(deduction);
    assertRefused(again, 'A deduction with a reversed redeem_code', [given]);
    await changedBy(probing, before, 0, [given, again]);
  },
  'V2-20': async (probing) => {
    const before = await readBalance(probing);
    const answer = await probing.operations.redeem(probing.deduction(-points));
    assertRefused(answer, 'A deduction of negative points');
    await changedBy(probing, before, 0, [answer]);
  },
  'V2-21': async (probing) => {
    const deduction = probing.deduction(points);
    const answer = await probing.operations.redeem({ ...deduction, points: String(points) });
    assertRefused(answer, 'A deduction of points as a string');
  },
} satisfies Record<string, Probe>;

export const v2ReversalProbes = {
  'V2-03': async (probing) => {
    const { deduction, answer: deducted } = await redeemLine(probing);
    const before = await readBalance(probing);
    const answer = await probing.operations.reverse(reversal(deduction));
    assertComplete(answer, 'The reversal', { before: [deducted] });
    await changedBy(probing, before, points, [deducted, answer]);
  },
  'V2-11': async (probing) => {
    const { deduction } = await redeemLine(probing);
    const first = await reverseLine(probing, deduction);
    const before = await readBalance(probing);
    const again = await probing.operations.reverse(reversal(deduction));
    assertSucceeded(again, 'The repeated reversal', [first]);
    await changedBy(probing, before, 0, [first, again]);
  },
  'V2-12': async (probing) => {
    const { deduction } = await redeemLine(probing);
    const before = await readBalance(probing);
    const answers = await atOnce(10, () => probing.operations.reverse(reversal(deduction)));
    // Another requirement tests that a reversal refunds points.
    const given = (await readBalance(probing)) - before;
    if (given > points)
      failWith(
        `Ten reversals of ${points} points refunded ${given}.`,
        '/balance',
        String(before + points),
        String(before + given),
        answers,
      );
  },
  'V2-13': async (probing) => {
    const { deduction, answer: deducted } = await redeemLine(probing);
    const before = await readBalance(probing);
    const answer = await probing.operations.reverse({ ...reversal(deduction), points: points + 1 });
    assertRefused(answer, 'A reversal of more points than deducted', [deducted]);
    await changedBy(probing, before, 0, [deducted, answer]);
  },
  'V2-14': async (probing) => {
    const before = await readBalance(probing);
    const answer = await probing.operations.reverse(reversal(probing.deduction(points)));
    assertRefused(answer, 'A reversal of an unknown redeem_code');
    await changedBy(probing, before, 0, [answer]);
  },
  'V2-15': async (probing) => {
    const before = await readBalance(probing);
    const deduction = probing.deduction(points);
    const early = await probing.operations.reverse(reversal(deduction));
    const answer = await probing.operations.redeem(deduction);
    assertRefused(answer, 'A deduction that arrives after its reversal', [early]);
    await changedBy(probing, before, 0, [early, answer]);
  },
} satisfies Record<string, Probe>;
