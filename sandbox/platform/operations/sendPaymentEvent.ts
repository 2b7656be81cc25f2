import { earnedPoints, isAhead, parseAmount } from '../../domain/points.ts';
import { schedule } from '../../jobs/due.ts';
import { digest } from '../../runtime/secrets.ts';
import { asks, creditOf, reading } from '../balances.ts';
import type { RewardsCall, RewardsReply } from '../calls.ts';
import type { Platform } from '../platform.ts';

/**
 * Takes a payment event of a customer that the client does not refuse (OP-130), and has its points credited: once per
 * transactionId, whatever comes again (OP-25).
 */
export async function sendPaymentEvent(
  platform: Platform,
  call: RewardsCall<'sendPaymentEvent'>,
): Promise<RewardsReply<'sendPaymentEvent'>> {
  const { uid, eventType, transactionId, paymentAmount, occurred_at = null } = call.body;
  const paise = parseAmount(paymentAmount);
  if (paise === undefined) return { kind: 'invalid_request', where: '/paymentAmount', problem: 'must be an amount' };
  const now = Math.max(platform.clock.now(), platform.realTime());
  if (occurred_at !== null && isAhead(occurred_at, now)) {
    return { kind: 'invalid_request', where: '/occurred_at', problem: 'must not be more than 24 hours ahead' };
  }
  const fingerprint = digest(JSON.stringify([uid, eventType, paise.toString(), occurred_at]));
  const { store, clock, activity } = platform;
  if (store.get('payments', transactionId) === undefined) {
    const ask = () => platform.client.getProfileAndPoints(uid, call.trace);
    const answer = await reading(platform, { uid, version: 'v1' }, ask);
    if (answer.kind === 'refused') return { kind: 'refused_by_client', message: answer.message };
  }
  return store.transact((tx) => {
    const known = tx.get('payments', transactionId);
    if (known !== undefined && known.fingerprint !== fingerprint) {
      return call.keep(tx, { kind: 'transaction_conflict' });
    }
    const points = known?.points ?? earnedPoints(paise, platform.settings());
    const payment = {
      uid,
      transactionId,
      paymentAmount,
      points,
      fingerprint,
      at: clock.now(),
      seq: activity.nextSeq(tx),
    };
    if (known === undefined) {
      tx.put('payments', transactionId, payment);
      asks(platform, tx, { uid }, creditOf(payment));
      schedule(tx, { kind: 'creditPoints', at: clock.now(), trace: call.trace, payload: { transactionId } });
      const detail = { transactionId, points };
      activity.note(tx, { trace: call.trace, party: 'platform', event: 'payment.taken', uid, detail });
    }
    return call.keep(tx, { status: 202, body: { success: true, status: 202, transactionId, points } });
  });
}
