/** Probes of `updateRedeemStatus`: status updates to refuse, and one to accept. */
import { assertComplete, assertRefused } from '../assertions.ts';
import type { Body } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { balanceIs, points, refusedWithoutEffect, without } from './booking.ts';

export const reportProbes = {
  'STA-16': async (probing) => {
    const before = await probing.balance();
    const answer = await probing.operations.update(probing.status(probing.fresh(), 'Delivered'));
    assertRefused(answer, 'A status update for an unknown redeemCode');
    await balanceIs(probing, before, 'a status update for an unknown redeemCode', [answer]);
  },
  'STA-17': (probing) =>
    refusedReports(probing, {
      'status is Rejected and orderStatus Delivered': { orderStatus: 'Delivered' },
      'status is Delivered and orderStatus Rejected': { status: 'Delivered' },
    }),
  'STA-18': (probing) =>
    refusedReports(probing, {
      'the status is `rejected`': { status: 'rejected', orderStatus: 'rejected' },
      'the status is `delivered`': { status: 'delivered', orderStatus: 'delivered' },
    }),
  'STA-19': (probing) =>
    refusedReports(probing, { 'redeemCode is empty': { redeemCode: '' }, 'status is empty': { status: '' } }, [
      'redeemCode',
      'status',
    ]),
  'STA-20': (probing) => refusedReports(probing, {}, ['orderStatus', 'remark', 'projectCode']),
  'STA-21': async (probing) => {
    const { record } = await probing.deduct(points);
    const report = probing.status(record.redeemCode, 'Delivered', { remark: '' });
    const sent = await probing.operations.update(report);
    assertComplete(sent, 'A status update with an empty remark', { cause: 'refuses a status' });
  },
  'STA-22': (probing) =>
    refusedReports(probing, { 'projectCode belongs to another project': { projectCode: 'CERTIFY-NONE' } }),
} satisfies Record<string, Probe>;

/** Reports of a rejection with these changes, and without these fields: all are refused, and the balance stays. */
async function refusedReports(
  probing: ProbeContext,
  changes: Readonly<Record<string, Body>>,
  missing: readonly string[] = [],
): Promise<void> {
  const { record } = await probing.deduct(points);
  const report: Body = probing.status(record.redeemCode, 'Rejected');
  const bodies = [
    ...Object.entries(changes).map(([wrong, change]) => [wrong, { ...report, ...change }] as const),
    ...missing.map((name) => [`${name} is missing`, without(report, name)] as const),
  ];
  const calls = bodies.map(([wrong, body]) => [wrong, () => probing.operations.update(body)] as const);
  await refusedWithoutEffect(probing, Object.fromEntries(calls));
}
