/** Probes of `saveRedeemDetails`: records that the server must accept or refuse. */

import {
  assertComplete,
  assertRefused,
  assertSucceeded,
  describeAnswer,
  failWith,
  isRefusal,
  isSuccess,
} from '../assertions.ts';
import type { Body } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';
import {
  afterDeduction,
  afterLoss,
  atOnce,
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

/** Fields that a deduction requires. */
const needed = ['uid', 'redeemCode', 'totalPointWithProcessingFee'] as const;
const others = [
  'scheme',
  'redeemPoints',
  'shippingAddress',
  'processingFee',
  'productCode',
  'productName',
  'quantity',
  'redeemStatus',
  'email',
  'mobileNo',
  'totalpoints',
  'tdsSingleItem',
] as const;

/** Sets all point fields of a record to the same amount, so that the sum is correct. */
function of(amount: string | number): Body {
  return { redeemPoints: amount, totalpoints: amount, totalPointWithProcessingFee: amount };
}

/** Makes a probe that records with each change are refused and do not change the balance. */
function refused(changes: Changes): Probe {
  return (probing) =>
    refusedWithoutEffect(probing, changes, (change) =>
      probing.operations.save({ ...probing.record(points), ...change }),
    );
}

const once = bookedOnce('save', -points, async (probing) => [await afterDeduction(probing), probing.record(points)]);

/** Number of points including a fee, and the fee. */
const [total, fee] = [60, 49];

export const deductionProbes = {
  'DED-01': async (probing) => {
    const before = await probing.balance();
    const answer = assertComplete(await probing.operations.save(probing.record(total, {}, fee)), 'The deduction');
    await balanceIs(probing, before - total, `a deduction of ${total} points, including a fee of ${fee}`, [answer]);
  },
  'DED-02': once('the same deduction twice', twice),
  'DED-03': once('ten identical concurrent deductions', tenAtOnce),
  'DED-04': async (probing) => {
    const { record, answer: first } = await probing.deduct(points);
    assertSucceeded(await probing.operations.save(record), 'The repeated deduction', [first]);
    const lost = probing.record(points);
    await sendLost(probing, 'save', lost);
    assertSucceeded(await probing.operations.save(lost), 'The same deduction again after a lost response');
  },
  'DED-05': once('a deduction whose response was lost, and its repeat', afterLoss),
  'DED-06': async (probing) => {
    const { record, answer: first } = await probing.deduct(points);
    for (const [what, change] of Object.entries(changed)) {
      const other = await probing.operations.save({ ...record, ...change });
      assertRefused(other, `Another ${what} with the same redeemCode`, [first]);
    }
  },
  'DED-07': async (probing) => {
    const before = await afterDeduction(probing);
    const { record, answer: first } = await probing.deduct(points);
    const answers = [first];
    for (const change of Object.values(changed)) answers.push(await probing.operations.save({ ...record, ...change }));
    await balanceIs(probing, before - points, 'one deduction and others with its redeemCode', answers);
  },
  'DED-08': async (probing) => {
    const before = await afterDeduction(probing);
    const each = Math.floor(before / 10) + 1;
    const most = Math.floor(before / each);
    const answers = await atOnce(50, () => probing.operations.save(probing.record(each)));
    const carried = answers.filter(isSuccess);
    const balance = await probing.balance();
    const overdrawn = `Fifty concurrent deductions of ${each} points leave ${balance} of ${before} points.`;
    if (balance < 0) failWith(overdrawn, '/balance', 'no less than 0', String(balance), carried);
    const { length: times } = carried;
    const tooMany = `${times} of fifty concurrent deductions of ${each} points succeeded; ${before} points cover ${most}.`;
    if (times > most) failWith(tooMany, '/status', `200 at most ${most} times`, `200 ${times} times`, carried);
  },
  'DED-09': async (probing) => {
    const { balance, requested, answer } = await beyondBalance(probing);
    assertRefused(answer, `A deduction of ${requested} points with a balance of ${balance}`);
  },
  'DED-10': async (probing) => {
    const { balance, requested, answer } = await beyondBalance(probing);
    if (!isRefusal(answer))
      throw new Blocked('DED-09', `A deduction of ${requested} points received ${describeAnswer(answer)}.`);
    await balanceIs(probing, balance, 'a refused deduction', [answer]);
  },
  'DED-11': async (probing) => {
    const before = await afterDeduction(probing);
    const records = Array.from({ length: 8 }, (_, index) => probing.record(points + index));
    const answers = await Promise.all(records.map((record) => probing.operations.save(record)));
    for (const answer of answers) assertSucceeded(answer, 'One of eight concurrent deductions');
    const sum = records.reduce((all, record) => all + Number(record.totalPointWithProcessingFee), 0);
    await balanceIs(probing, before - sum, `eight concurrent deductions of ${sum} points`, answers);
  },
  'DED-12': async (probing) => {
    const { uid, token } = await probing.session();
    const authorization = `Bearer ${token}`;
    await afterDeduction(probing);
    const own = await probing.operations.profile(uid, { authorization });
    const message = `The token of ${uid} is not accepted: ${describeAnswer(own)}.`;
    if (!isSuccess(own)) throw new Blocked(['TOK-09', prerequisites.signIn], message);
    const answer = await probing.operations.save(probing.record(points), { authorization });
    assertSucceeded(answer, "A deduction with the customer's token");
  },
  'DED-23': async (probing) => {
    await afterDeduction(probing);
    await totalGrows(probing, 'totalRedeemed', async () => (await probing.deduct(points)).answer);
  },
  'DED-13': refused(eachField(needed, { ...missing, ...empty })),
  'DED-14': refused(eachField(others, missing)),
  'DED-15': refused(eachField(['scheme', 'redeemPoints', 'productCode', 'productName', 'quantity'], empty)),
  'DED-16': refused({
    'totalpoints is not redeemPoints plus TDS': { redeemPoints: '6' },
    'totalPointWithProcessingFee is not totalpoints plus the fee': { processingFee: '1' },
  }),
  'DED-17': refused({ 'scheme belongs to another project': { scheme: 'CERTIFY-NONE' } }),
  'DED-18': (probing) => refused({ 'the customer is unknown': { uid: probing.fresh() } })(probing),
  'DED-19': refused({
    'redeemStatus is `Pending`': { redeemStatus: 'Pending' },
    'redeemStatus is `delivered`': { redeemStatus: 'delivered' },
  }),
  'DED-20': refused({ 'points are `-5`': of('-5') }),
  'DED-21': refused({ 'points are `10.5`': of('10.5') }),
  'DED-22': refused({ 'points are a number': of(points) }),
} satisfies Record<string, Probe>;

/** Changes to a record whose redeemCode was already used. */
const changed: Readonly<Record<string, Body>> = {
  'number of points': of('8'),
  product: { productCode: 'CERTIFY-ITEM-2' },
};

/** Sends a deduction of more points than the balance. */
async function beyondBalance(probing: ProbeContext) {
  const balance = await probing.balance();
  const requested = Math.floor(balance) + 1;
  return { balance, requested, answer: await probing.operations.save(probing.record(requested)) };
}
