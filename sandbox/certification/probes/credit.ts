/** Probes of `creditPoints`: the points for a payment are credited exactly once. */
import { assertComplete, assertRefused, assertSucceeded, isSuccess } from '../assertions.ts';
import type { Body } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import {
  afterCredit,
  afterLoss,
  balanceIs,
  bookedOnce,
  type Changes,
  eachField,
  empty,
  missing,
  points,
  refusedWithoutEffect,
  sendLost,
  tenAtOnce,
  totalGrows,
  twice,
} from './booking.ts';

/** Maximum number of points. `beyond` is one more. */
const most = 999_999_999_999_999;
const beyond = String(most + 1);

const once = bookedOnce('credit', points, async (probing) => [await afterCredit(probing), probing.event(points)]);

export const creditProbes = {
  'CRD-01': async (probing) => {
    const before = await probing.balance();
    const answer = assertComplete(await probing.operations.credit(probing.event(points)), 'The credit');
    await balanceIs(probing, before + points, `a credit of ${points} points`, [answer]);
  },
  'CRD-02': once('the same credit twice', twice),
  'CRD-03': once('ten identical concurrent credits', tenAtOnce),
  'CRD-04': (probing) => otherRefused(probing, 'Another number of points', { points: String(points + 1) }),
  'CRD-05': once('a credit whose response was lost, and its repeat', afterLoss),
  'CRD-06': async (probing) => {
    await afterCredit(probing);
    const event = probing.event(points);
    const first = await probing.operations.credit(event);
    assertSucceeded(await probing.operations.credit(event), 'The repeated credit', [first]);
    const lost = probing.event(points);
    await sendLost(probing, 'credit', lost);
    assertSucceeded(await probing.operations.credit(lost), 'The same credit again after a lost response');
  },
  'CRD-07': (probing) => otherRefused(probing, 'Another customer', { uid: probing.other }),
  'CRD-08': (probing) => otherRefused(probing, 'Another paymentAmount', { paymentAmount: '1.00' }),
  'CRD-09': once('one credit and others with its transactionId', async (book) => [
    await book(),
    await book({ points: String(points + 1) }),
    await book({ paymentAmount: '1.00' }),
  ]),
  'CRD-10': refusedPoints('many', '12abc', ''),
  'CRD-11': refusedPoints('-5'),
  'CRD-12': refusedPoints('10.5', '1e3', '007'),
  'CRD-13': async (probing) => {
    const answer = await probing.operations.credit(probing.event(points, { points: beyond }));
    if (isSuccess(answer)) {
      // Reversing this credit takes two deductions: this one, and that of the runner.
      const record = probing.record(most);
      await probing.operations.save(record);
      await probing.operations.update(probing.status(record.redeemCode, 'Delivered'));
    }
    assertRefused(answer, 'A credit of points with 16 digits');
  },
  'CRD-14': refused(eachField(['uid', 'transactionId', 'points'], { ...missing, ...empty })),
  'CRD-15': refused(eachField(['eventType', 'paymentAmount'], missing)),
  'CRD-16': async (probing) => {
    const answer = await probing.operations.credit(probing.event(points, { uid: probing.fresh() }));
    assertRefused(answer, 'A credit for an unknown customer');
  },
  'CRD-17': async (probing) => {
    const before = await afterCredit(probing);
    const answer = await probing.operations.credit(probing.event(0, { paymentAmount: '99.00' }));
    await balanceIs(probing, before, 'a credit of 0 points', [assertSucceeded(answer, 'A credit of 0 points')]);
  },
  'CRD-18': async (probing) => {
    await afterCredit(probing);
    await totalGrows(probing, 'totalEarned', () => probing.operations.credit(probing.event(points)));
  },
} satisfies Record<string, Probe>;

/** Makes a probe that credits with each change are refused and do not change the balance. */
function refused(changes: Changes): Probe {
  return (probing) =>
    refusedWithoutEffect(probing, changes, (change) =>
      probing.operations.credit({ ...probing.event(points), ...change }),
    );
}

/** Makes a probe that credits of each invalid number of points are refused and do not change the balance. */
function refusedPoints(...invalid: readonly string[]): Probe {
  const named = invalid.map(
    (text) => [`points are ${text === '' ? 'empty' : `\`${text}\``}`, { points: text }] as const,
  );
  return refused(Object.fromEntries(named));
}

/** Asserts that a credit with a used transactionId and a different value is refused. */
async function otherRefused(probing: ProbeContext, what: string, change: Body): Promise<void> {
  await afterCredit(probing);
  const event = probing.event(points);
  const first = await probing.operations.credit(event);
  const other = await probing.operations.credit({ ...event, ...change });
  assertRefused(other, `${what} with the same transactionId`, [first]);
}
