import type { components } from '../../../generated/sandbox/types.ts';
import { wordsOf } from '../../domain/failures.ts';
import type { Next } from '../../domain/order-line.ts';
import { finish, postpone, reinstate, type Work } from '../../jobs/work.ts';
import type { Reader } from '../../store/store.ts';
import { confirmChange, creditOf } from '../balances.ts';
import type { Parked, PlatformCollections, PlatformTx } from '../collections.ts';
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
  if (seconds === undefined) return void park(platform, tx, work, reason);
  const next = platform.clock.now() + seconds * 1000;
  postpone(tx, work, next, reason);
  const detail = { tries: work.tries + 1, next_at: new Date(next).toISOString(), reason };
  noteDelivery(platform, tx, 'delivery.postponed', work, detail);
  return next;
}

/** Stops retrying a failed call. The call is stored with the reason and can be replayed (OP-24, OP-130). */
function park(platform: Platform, tx: PlatformTx, work: Work, reason: string): void {
  const { id, trace, kind, payload } = work;
  const tries = work.tries + 1;
  finish(tx, work);
  tx.put('parked', id, { kind, payload, trace, at: platform.clock.now(), tries, reason });
  noteDelivery(platform, tx, 'delivery.parked', work, { tries, reason });
}

/**
 * Logs the outcome of a delivery under the trace of its cause. The log stores the payload with the delivery's calls.
 */
function noteDelivery(platform: Platform, tx: PlatformTx, event: string, work: Piece, result: object): void {
  const { id, kind, payload, trace } = work;
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

type PublicDelivery = components['schemas']['Delivery'];
type Kind = PublicDelivery['kind'];
type Piece = Pick<Work, 'id' | 'kind' | 'payload' | 'trace'>;

const kinds: readonly string[] = ['creditPoints', 'reportStatus', 'sendWebhook'] satisfies Kind[];

/** Outstanding deliveries of the platform, for the control API to list and replay (OP-24). */
export class Deliveries {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Returns due and parked deliveries with an id above `after`, in the order of their creation. */
  list(after: string | undefined, limit: number): PublicDelivery[] {
    const { store } = this.#platform;
    const part = { limit, ...(after !== undefined && { after }) };
    const parked = store.ids('parked', part).flatMap((id) => {
      const delivery = store.get('parked', id);
      return delivery === undefined ? [] : [parkedDelivery(id, delivery)];
    });
    const due = kinds.flatMap((group) => store.range('due', { by: 'kind', group, ...part }).map(dueDelivery));
    return [...due, ...parked].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
  }

  /** Schedules a delivery for now. Returns `undefined` if no outstanding delivery has this id. */
  replay(id: string, trace: string): Promise<PublicDelivery | undefined> {
    return this.#platform.store.transact((tx) => {
      const piece = outstanding(tx, id);
      return piece && this.#putBack(tx, piece, trace);
    });
  }

  /** Schedules every parked delivery for now. */
  replayParked(trace: string): Promise<PublicDelivery[]> {
    return this.#platform.store.transact((tx) =>
      tx.ids('parked').flatMap((id) => {
        const piece = outstanding(tx, id);
        return piece === undefined ? [] : [this.#putBack(tx, piece, trace)];
      }),
    );
  }

  #putBack(tx: PlatformTx, { id, kind, payload, trace }: Piece, cause: string): PublicDelivery {
    const work = { id, kind, payload, trace, at: this.#platform.clock.now() };
    tx.remove('parked', id);
    reinstate(tx, work);
    noteDelivery(this.#platform, tx, 'delivery.replayed', { ...work, trace: cause }, {});
    return dueDelivery({ ...work, tries: 0 });
  }
}

function outstanding(reader: Reader<PlatformCollections>, id: string): Piece | undefined {
  const parked = reader.get('parked', id);
  if (parked !== undefined) return { ...parked, id };
  const due = reader.get('due', id);
  return due !== undefined && kinds.includes(due.kind) ? due : undefined;
}

function dueDelivery({ id, kind, tries, at, reason, payload }: Omit<Work, 'trace'>): PublicDelivery {
  const next_at = new Date(at).toISOString();
  return { ...facts(id, kind, payload), status: 'due', tries, next_at, reason: reason ?? null };
}

function parkedDelivery(id: string, { kind, tries, reason, payload }: Parked): PublicDelivery {
  return { ...facts(id, kind, payload), status: 'parked', tries, next_at: null, reason };
}

function facts(id: string, kind: string, payload: Work['payload']) {
  const { redeemCode = null, transactionId = null, webhook_id = null } = payload;
  return { id, kind: kind as Kind, redeem_code: redeemCode, transaction_id: transactionId, webhook_id };
}
