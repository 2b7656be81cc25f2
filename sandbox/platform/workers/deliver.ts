import { wordsOf } from '../../domain/failures.ts';
import type { Next } from '../../domain/order-line.ts';
import { finish, postpone, type Work } from '../../jobs/work.ts';
import { confirmChange, creditOf } from '../balances.ts';
import type { PlatformTx } from '../collections.ts';
import type { Platform } from '../platform.ts';

/** Finishes or reschedules work on a line, as decided. */
export function settleWork(platform: Platform, tx: PlatformTx, work: Work, next: Next): void {
  if (next.kind === 'done') finish(tx, work);
  else if (next.kind === 'again') postpone(tx, work, platform.clock.now() + next.milliseconds);
  else tryLater(platform, tx, work, next.reason);
}

/**
 * Reschedules a failed call on the retry schedule, or parks it after the last retry (OP-24). Both are logged as state
 * changes with the number of attempts. Returns the time of the next attempt, or `undefined` if there is none.
 */
export function tryLater(platform: Platform, tx: PlatformTx, work: Work, reason: string): number | undefined {
  const seconds = platform.settings().retry_delays[work.tries];
  if (seconds === undefined) {
    park(platform, tx, work, reason);
    return undefined;
  }
  const next = platform.clock.now() + seconds * 1000;
  postpone(tx, work, next, reason);
  const result = { tries: work.tries + 1, next_at: new Date(next).toISOString(), reason };
  noteDelivery(platform, tx, 'delivery.postponed', work, { trace: work.trace, result });
  return next;
}

/** Stops retrying a failed call. The call is stored with the reason and can be replayed (OP-24, OP-130). */
function park(platform: Platform, tx: PlatformTx, work: Work, reason: string): void {
  const { id, trace, kind, payload } = work;
  const tries = work.tries + 1;
  finish(tx, work);
  tx.put('parked', id, { kind, payload, trace, at: platform.clock.now(), tries, reason });
  noteDelivery(platform, tx, 'delivery.parked', work, { trace, result: { tries, reason } });
}

/**
 * Logs the outcome of a delivery under the trace of its cause. The log stores the payload with the delivery's calls.
 */
export function noteDelivery(
  platform: Platform,
  tx: PlatformTx,
  event: string,
  { id, kind, payload }: Pick<Work, 'id' | 'kind' | 'payload'>,
  { trace, result }: { readonly trace: string; readonly result: Readonly<Record<string, unknown>> },
): void {
  const { body: _, ...about } = payload;
  platform.activity.note(tx, {
    trace,
    party: 'platform',
    event,
    ...(payload.redeemCode !== undefined && { redeem_codes: [payload.redeemCode] }),
    detail: { id, kind, ...about, ...result },
  });
}

/**
 * Has the client credit the points of a payment. Retries until the client accepts or refuses; it credits a
 * transactionId only once (OP-24, OP-130).
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
