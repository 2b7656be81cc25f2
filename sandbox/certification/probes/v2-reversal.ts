/** Probes of `reversePoints`: deducted points are refunded once. */
import { assertComplete, assertRefused, assertSucceeded, failWith } from '../assertions.ts';
import type { Probe } from '../probe-context.ts';
import { atOnce, changedBy, points, readBalance, redeemLine, reversal, reverseLine } from './v2-lines.ts';

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
    // Whether anything comes back is judged by itself.
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
