/** Probes of `creditPoints`: the points for a payment are credited exactly once. */
import { assertComplete, assertRefused, assertSucceeded, isSuccess } from '../assertions.ts';
import type { Body } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import {
  afterCredit,
  atOnce,
  balanceIs,
  eachField,
  empty,
  missing,
  points,
  refusedWithoutEffect,
  sendLost,
  totalIs,
  totalOf,
} from './booking.ts';

const path = '/creditPoints';
/** Maximum number of points. `beyond` is one more. */
const most = 999_999_999_999_999;
const beyond = String(most + 1);

export const creditProbes = {
  'CRD-01': async (probing) => {
    const before = await probing.balance();
    const answer = await probing.operations.credit(probing.event(points));
    assertComplete(answer, 'The credit');
    await balanceIs(probing, before + points, `a credit of ${points} points`, [answer]);
  },
  'CRD-02': async (probing) => {
    const before = await afterCredit(probing);
    const event = probing.event(points);
    const answers = [await probing.operations.credit(event), await probing.operations.credit(event)];
    await balanceIs(probing, before + points, 'the same credit twice', answers);
  },
  'CRD-03': async (probing) => {
    const before = await afterCredit(probing);
    const event = probing.event(points);
    const answers = await atOnce(10, () => probing.operations.credit(event));
    await balanceIs(probing, before + points, 'ten identical concurrent credits', answers);
  },
  'CRD-04': (probing) => otherRefused(probing, 'Another number of points', { points: String(points + 1) }),
  'CRD-05': async (probing) => {
    const before = await afterCredit(probing);
    const event = probing.event(points);
    await sendLost(probing, path, event);
    const answer = await probing.operations.credit(event);
    await balanceIs(probing, before + points, 'a credit whose response was lost, and its repeat', [answer]);
  },
  'CRD-06': async (probing) => {
    await afterCredit(probing);
    const event = probing.event(points);
    const first = await probing.operations.credit(event);
    assertSucceeded(await probing.operations.credit(event), 'The repeated credit', [first]);
    const lost = probing.event(points);
    await sendLost(probing, path, lost);
    assertSucceeded(await probing.operations.credit(lost), 'The same credit again after a lost response');
  },
  'CRD-07': (probing) => otherRefused(probing, 'Another customer', { uid: probing.other }),
  'CRD-08': (probing) => otherRefused(probing, 'Another paymentAmount', { paymentAmount: '1.00' }),
  'CRD-09': async (probing) => {
    const before = await afterCredit(probing);
    const event = probing.event(points);
    const changes = [{}, { points: String(points + 1) }, { paymentAmount: '1.00' }];
    const answers = [];
    for (const change of changes) answers.push(await probing.operations.credit({ ...event, ...change }));
    await balanceIs(probing, before + points, 'one credit and others with its transactionId', answers);
  },
  'CRD-10': (probing) => refusedPoints(probing, 'many', '12abc', ''),
  'CRD-11': (probing) => refusedPoints(probing, '-5'),
  'CRD-12': (probing) => refusedPoints(probing, '10.5', '1e3', '007'),
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
  'CRD-14': (probing) => refused(probing, eachField(['uid', 'transactionId', 'points'], { ...missing, ...empty })),
  'CRD-15': (probing) => refused(probing, eachField(['eventType', 'paymentAmount'], missing)),
  'CRD-16': async (probing) => {
    const answer = await probing.operations.credit(probing.event(points, { uid: probing.fresh() }));
    assertRefused(answer, 'A credit for an unknown customer');
  },
  'CRD-17': async (probing) => {
    const before = await afterCredit(probing);
    const answer = await probing.operations.credit(probing.event(0, { paymentAmount: '99.00' }));
    assertSucceeded(answer, 'A credit of 0 points');
    await balanceIs(probing, before, 'a credit of 0 points', [answer]);
  },
  'CRD-18': async (probing) => {
    await afterCredit(probing);
    const before = await totalOf(probing, 'totalEarned');
    const answer = await probing.operations.credit(probing.event(points));
    await totalIs(probing, 'totalEarned', before + points, [answer]);
  },
} satisfies Record<string, Probe>;

/** Asserts that credits with each change are refused and do not change the balance. */
function refused(probing: ProbeContext, changes: Readonly<Record<string, Body>>): Promise<void> {
  return refusedWithoutEffect(probing, changes, (change) =>
    probing.operations.credit({ ...probing.event(points), ...change }),
  );
}

/** Asserts that credits of each invalid number of points are refused and do not change the balance. */
function refusedPoints(probing: ProbeContext, ...invalid: readonly string[]): Promise<void> {
  const named = invalid.map(
    (text) => [`points are ${text === '' ? 'empty' : `\`${text}\``}`, { points: text }] as const,
  );
  return refused(probing, Object.fromEntries(named));
}

/** Asserts that a credit with a used transactionId and a different value is refused. */
async function otherRefused(probing: ProbeContext, what: string, change: Body): Promise<void> {
  await afterCredit(probing);
  const event = probing.event(points);
  const first = await probing.operations.credit(event);
  const other = await probing.operations.credit({ ...event, ...change });
  assertRefused(other, `${what} with the same transactionId`, [first]);
}
