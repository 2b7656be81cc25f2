import { wordsOf } from '../../domain/failures.ts';
import type { Next } from '../../domain/order-line.ts';
import { finish, postpone, type Work } from '../../jobs/work.ts';
import type { Tx } from '../../store/store.ts';
import { confirmChange, creditOf } from '../balances.ts';
import type { PlatformCollections } from '../collections.ts';
import type { Platform } from '../platform.ts';

/** Ends a piece of work about a line, or puts it off, as was decided. */
export function settleWork(platform: Platform, tx: Tx<PlatformCollections>, work: Work, next: Next): void {
  if (next.kind === 'done') finish(tx, work);
  else if (next.kind === 'again') postpone(tx, work, platform.clock.now() + next.milliseconds);
  else tryLater(platform, tx, work, next.reason);
}

/**
 * Puts a call that got no good answer off to the next instant of the retry schedule, or parks it once the schedule is
 * used up (OP-24). Either is a state change in the log, with the tries so far. Returns the instant of the next try, or
 * undefined if there is none.
 */
export function tryLater(
  platform: Platform,
  tx: Tx<PlatformCollections>,
  work: Work,
  reason: string,
): number | undefined {
  const seconds = platform.settings().retry_delays[work.tries];
  if (seconds !== undefined) {
    const next = platform.clock.now() + seconds * 1000;
    postpone(tx, work, next, reason);
    const detail = { tries: work.tries + 1, next_at: new Date(next).toISOString(), reason };
    noteDelivery(platform, tx, 'delivery.postponed', work, { trace: work.trace, detail });
    return next;
  }
  park(platform, tx, work, reason);
  return undefined;
}

/** Ends the tries of a call that got no good answer: it is stored with the reason, and can be replayed (OP-24, OP-130). */
function park(platform: Platform, tx: Tx<PlatformCollections>, work: Work, reason: string): void {
  const { id, trace, kind, payload } = work;
  const tries = work.tries + 1;
  finish(tx, work);
  tx.put('parked', id, { kind, payload, trace, at: platform.clock.now(), tries, reason });
  noteDelivery(platform, tx, 'delivery.parked', work, { trace, detail: { tries, reason } });
}

/** Notes what became of a delivery, under the trace of who caused it; what it carries is in the log with its calls. */
export function noteDelivery(
  platform: Platform,
  tx: Tx<PlatformCollections>,
  event: string,
  { id, kind, payload }: Pick<Work, 'id' | 'kind' | 'payload'>,
  { trace, detail }: { readonly trace: string; readonly detail: Readonly<Record<string, unknown>> },
): void {
  const { body: _, ...about } = payload;
  platform.activity.note(tx, {
    trace,
    party: 'platform',
    event,
    ...(payload.redeemCode !== undefined && { redeem_codes: [payload.redeemCode] }),
    detail: { id, kind, ...about, ...detail },
  });
}

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
