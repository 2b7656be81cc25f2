/** Probes of `updateRedeemStatus`: updates that the server must accept or refuse. */

import { type Answer, objectIn } from '../answer.ts';
import { assertComplete, assertRefused, assertSame, assertSucceeded } from '../assertions.ts';
import type { StatusUpdate } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';
import {
  afterLoss,
  afterRejection,
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
} from './booking.ts';

/** Makes a probe that rejections with each change are refused and do not change the balance. */
function refusedReports(changes: Changes): Probe {
  return async (probing) => {
    const { record } = await probing.deduct(points);
    const report = probing.status(record.redeemCode, 'Rejected');
    await refusedWithoutEffect(probing, changes, (change) => probing.operations.update({ ...report, ...change }));
  };
}

const rejectedOnce = bookedOnce('update', points, async (probing) => {
  await afterRejection(probing);
  const { record } = await probing.deduct(points);
  return [await probing.balance(), probing.status(record.redeemCode, 'Rejected')];
});

/** Number of points including a fee, and the fee. */
const [total, fee] = [60, 49];

/** The cause of failures if a server refuses valid status updates. */
const refusesStatus = { is: 'refuses a status' };

/** Fields that a status update requires. */
const required = ['redeemCode', 'status'];

export const statusProbes = {
  'STA-01': async (probing) => {
    const { record } = await probing.deduct(total, {}, fee);
    const before = await probing.balance();
    const rejected = await update(probing, record.redeemCode, 'Rejected');
    const answer = assertComplete(rejected, 'The status Rejected', [], refusesStatus);
    await balanceIs(probing, before + total, `Rejected for ${total} points, including a fee of ${fee}`, [answer]);
  },
  'STA-02': async (probing) => {
    const code = await ended(probing, 'Rejected');
    await unchanged(probing, 'a second Rejected', () => update(probing, code, 'Rejected'));
  },
  'STA-03': async (probing) => {
    for (const status of ['Rejected', 'Delivered'] as const) {
      const code = await ended(probing, status);
      assertSucceeded(await update(probing, code, status), `A second ${status}`);
    }
    const { record } = await probing.deduct(points);
    await sendLost(probing, 'update', probing.status(record.redeemCode, 'Rejected'));
    assertSucceeded(await update(probing, record.redeemCode, 'Rejected'), 'Rejected again after a lost response');
  },
  'STA-04': rejectedOnce('ten identical concurrent Rejected updates', tenAtOnce),
  'STA-05': rejectedOnce('a Rejected update whose response was lost, and its repeat', afterLoss),
  'STA-06': (probing) => changesNothing(probing, 'Delivered'),
  'STA-07': (probing) => changesNothing(probing, 'Pending'),
  'STA-08': async (probing) => {
    const rejected = await ended(probing, 'Rejected');
    assertRefused(await update(probing, rejected, 'Delivered'), 'Delivered after Rejected');
    const delivered = await ended(probing, 'Delivered');
    assertRefused(await update(probing, delivered, 'Rejected'), 'Rejected after Delivered');
  },
  'STA-09': (probing) => contradiction(probing, 'Delivered', 'Rejected'),
  'STA-10': (probing) => contradiction(probing, 'Rejected', 'Delivered'),
  'STA-11': async (probing) => {
    await afterRejection(probing);
    const record = probing.record(points);
    const before = await probing.balance();
    const report = await update(probing, record.redeemCode, 'Rejected');
    const late = await probing.operations.save(record);
    assertRefused(late, 'A deduction that arrives after its rejection', [report]);
    await balanceIs(probing, before, 'a deduction that arrives after its rejection', [report, late]);
  },
  'STA-12': async (probing) => {
    await afterRejection(probing);
    const [one, other] = [await probing.deduct(points), await probing.deduct(points + 1)];
    const before = await probing.balance();
    const answer = await update(probing, one.record.redeemCode, 'Rejected');
    await balanceIs(probing, before + points, `Rejected for one of two redemptions, with ${points} points`, [answer]);
    const next = await update(probing, other.record.redeemCode, 'Rejected');
    await balanceIs(probing, before + 2 * points + 1, 'Rejected for both', [answer, next]);
  },
  'STA-13': async (probing) => {
    const balance = Math.floor(await probing.balance());
    const { record } = await probing.deduct(Math.floor(balance / 2) + 1);
    await probing.report(record.redeemCode, 'Rejected');
    if ((await probing.balance()) < balance)
      throw new Blocked(prerequisites.rejection, 'Rejected does not refund all points.');
    const answer = await probing.operations.save(probing.record(balance));
    assertSucceeded(answer, 'A deduction of all points, including refunded ones,');
  },
  'STA-14': async (probing) => {
    const { record } = await probing.deduct(points);
    await probing.report(record.redeemCode, 'Rejected');
    await unchanged(probing, 'a repeat of the rejected deduction', () => probing.operations.save(record));
  },
  'STA-15': async (probing) => {
    const { record } = await probing.deduct(points);
    const earned = await totalEarned(probing);
    const answer = await probing.report(record.redeemCode, 'Rejected');
    const after = await totalEarned(probing);
    const message = `Rejected changes totalEarned from ${earned} to ${after}, although nothing was earned.`;
    assertSame(after, earned, { message, pointer: '/body/points/totalEarned', answers: [answer] });
  },
  'STA-16': (probing) =>
    unchanged(probing, 'a status update for an unknown redeemCode', async () => {
      const answer = await update(probing, probing.fresh(), 'Delivered');
      return assertRefused(answer, 'A status update for an unknown redeemCode');
    }),
  'STA-17': refusedReports({
    'status is Rejected and orderStatus Delivered': { orderStatus: 'Delivered' },
    'status is Delivered and orderStatus Rejected': { status: 'Delivered' },
  }),
  'STA-18': refusedReports({
    'the status is `rejected`': { status: 'rejected', orderStatus: 'rejected' },
    'the status is `delivered`': { status: 'delivered', orderStatus: 'delivered' },
  }),
  'STA-19': refusedReports({ ...eachField(required, empty), ...eachField(required, missing) }),
  'STA-20': refusedReports(eachField(['orderStatus', 'remark', 'projectCode'], missing)),
  'STA-21': async (probing) => {
    const { record } = await probing.deduct(points);
    const sent = await update(probing, record.redeemCode, 'Delivered', { remark: '' });
    assertComplete(sent, 'A status update with an empty remark', [], refusesStatus);
  },
  'STA-22': refusedReports({ 'projectCode belongs to another project': { projectCode: 'CERTIFY-NONE' } }),
} satisfies Record<string, Probe>;

type Status = StatusUpdate['status'];

function update(probing: ProbeContext, redeemCode: string, status: Status, changes?: Partial<StatusUpdate>) {
  return probing.operations.update(probing.status(redeemCode, status, changes));
}

/** Asserts that a call does not change the balance. */
async function unchanged(probing: ProbeContext, after: string, send: () => Promise<Answer>): Promise<void> {
  const before = await probing.balance();
  await balanceIs(probing, before, after, [await send()]);
}

/** Creates a redemption with this final status, and returns its code. */
async function ended(probing: ProbeContext, status: Status): Promise<string> {
  const { record } = await probing.deduct(points);
  await probing.report(record.redeemCode, status);
  return record.redeemCode;
}

/** Asserts that a status update succeeds and does not change the balance. */
async function changesNothing(probing: ProbeContext, status: Status): Promise<void> {
  const { record } = await probing.deduct(points);
  await unchanged(probing, status, async () => {
    const answer = await update(probing, record.redeemCode, status);
    return assertComplete(answer, `The status ${status}`, [], refusesStatus);
  });
}

/** Asserts that a contradictory status update does not change the balance. */
async function contradiction(probing: ProbeContext, first: Status, then: Status): Promise<void> {
  const code = await ended(probing, first);
  await unchanged(probing, `${then} after ${first}`, () => update(probing, code, then));
}

async function totalEarned(probing: ProbeContext): Promise<unknown> {
  return objectIn((await probing.profile()).answer, 'points')?.totalEarned;
}
