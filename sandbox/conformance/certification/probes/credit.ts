/** Probes of `creditPoints`: what a payment earned is credited, once. */
import { carriedOut, refused, same } from '../expecting.ts';
import type { CreditPointsEvent } from '../operations.ts';
import type { Answer } from '../partner.ts';
import type { Probe, Probing } from '../probing.ts';

/** Points of one credit: few, as they are taken back by a redemption. */
const points = 7;

export const creditProbes = {
  'CRD-01': async (probing) => {
    const before = await probing.balance();
    const answer = await probing.operations.credit(probing.event(points));
    carriedOut(answer, 'The credit');
    await grownBy(probing, before, points, [answer]);
  },
  'CRD-02': async (probing) => {
    const before = await probing.balance();
    const answers = await sent(probing, probing.event(points), 2);
    for (const answer of answers) carriedOut(answer, 'The same credit again');
    await grownBy(probing, before, points, answers);
  },
  'CRD-03': async (probing) => {
    const before = await probing.balance();
    const event = probing.event(points);
    const answers = await Promise.all(Array.from({ length: 10 }, () => probing.operations.credit(event)));
    await grownBy(probing, before, points, answers);
  },
  'CRD-04': async (probing) => {
    const before = await probing.balance();
    const event = probing.event(points);
    const first = await probing.operations.credit(event);
    const other = await probing.operations.credit({ ...event, points: String(points + 1) });
    refused(other, 'Another credit under the same transactionId', [first]);
    await grownBy(probing, before, points, [first, other]);
  },
} satisfies Record<string, Probe>;

/** The same event, one call after the other. */
async function sent(probing: Probing, event: CreditPointsEvent, times: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let call = 0; call < times; call += 1) answers.push(await probing.operations.credit(event));
  return answers;
}

/** The balance is that of before and so many points. */
async function grownBy(probing: Probing, before: number, by: number, answers: readonly Answer[]): Promise<void> {
  const balance = await probing.balance();
  same(balance, before + by, {
    message: `After ${answers.length === 1 ? 'one call' : `${answers.length} calls`} the balance grew by ${balance - before} instead of ${by} points.`,
    pointer: '/balance',
    answers,
  });
}
