import { wordsOf } from '../../domain/failures.ts';
import { finish, type Work } from '../../jobs/work.ts';
import { confirmChange, creditOf } from '../balances.ts';
import type { Platform } from '../platform.ts';
import { park, tryLater } from './deliver.ts';

/**
 * Has the client credit the points of a payment: again until it says yes, which it does once per transactionId, or no
 * (OP-24, OP-130).
 */
export async function creditPoints(platform: Platform, work: Work): Promise<void> {
  const payment = platform.store.get('payments', work.payload.transactionId ?? '');
  if (payment === undefined) return platform.store.transact((tx) => finish(tx, work));
  const { uid, transactionId, paymentAmount } = payment;
  const answer = await platform.client.creditPoints(
    { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount, points: String(payment.points) },
    work.trace,
  );
  await platform.store.transact((tx) => {
    if (answer.kind === 'refused') return park(platform, tx, work, wordsOf(answer));
    if (answer.kind !== 'accepted') return tryLater(platform, tx, work, wordsOf(answer));
    finish(tx, work);
    confirmChange(platform, tx, uid, creditOf(payment));
  });
}
