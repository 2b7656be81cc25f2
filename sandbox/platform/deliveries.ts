import type { components } from '../../generated/sandbox/types.ts';
import { reinstate, type Work } from '../jobs/work.ts';
import { nextNumber, orderedKey } from '../runtime/ids.ts';
import type { WatchedQuery } from '../runtime/waiting.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Range, Reader } from '../store/store.ts';
import type { Parked, PlatformCollections, PlatformTx, WebhookTry } from './collections.ts';
import type { Platform } from './platform.ts';
import { noteDelivery } from './workers/deliver.ts';

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
    noteDelivery(this.#platform, tx, 'delivery.replayed', work, { trace: cause, result: {} });
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

type PublicTry = components['schemas']['WebhookTry'];

/** Maximum number of stored attempts. The oldest are dropped first. */
const mostTries = 1_000;

/**
 * Returns the id of a message. It is the same for every attempt of one delivery, so that receivers can discard
 * duplicates (OP-26). Its suffix comes from the webhook's id, so that ids differ after a reset.
 */
export function messageId(delivery: string, webhook_id: string): string {
  return `MSG-${delivery}-${webhook_id.slice(-4)}`;
}

/** Records an attempt in the transaction of its outcome (OP-85). */
export function logTry(tx: PlatformTx, tried: Omit<WebhookTry, 'seq'>): void {
  const seq = nextNumber(tx, 'webhookTries');
  tx.put('webhookTries', orderedKey(seq), { seq, ...tried });
  dropEnded(tx, 'webhookTries', tried.at, mostTries);
}

/** Delivery attempts and their outcomes, for the control API (OP-85). */
export class WebhookLog {
  readonly #store: Reader<PlatformCollections>;

  constructor(store: Reader<PlatformCollections>) {
    this.#store = store;
  }

  /** Returns whether the webhook is registered, or still has recorded attempts. */
  knows(webhook_id: string): boolean {
    if (this.#store.get('webhooks', webhook_id) !== undefined) return true;
    return this.#store.range('webhookTries', { ...triesOf(webhook_id), limit: 1 }).length > 0;
  }

  /** Returns a query for a webhook's attempts, oldest first: the newest attempts or, with `after`, the attempts that follow it. */
  list(webhook_id: string, after: number | undefined, limit: number): WatchedQuery<PublicTry> {
    const isWanted = (tried: WebhookTry) => tried.webhook_id === webhook_id && tried.seq > (after ?? 0);
    return {
      collection: 'webhookTries',
      matches: (tried) => isWanted(tried as WebhookTry),
      look: () => {
        const part = { limit, ...(after === undefined ? { reverse: true } : { after: orderedKey(after) }) };
        const tries = this.#store.range('webhookTries', { ...triesOf(webhook_id), ...part }).map(toPublicTry);
        return after === undefined ? tries.reverse() : tries;
      },
    };
  }
}

function triesOf(webhook_id: string): Pick<Range, 'by' | 'group'> {
  return { by: 'webhook', group: webhook_id };
}

function toPublicTry(tried: WebhookTry): PublicTry {
  const { webhook_id, delivery, next } = tried;
  return {
    seq: tried.seq,
    at: new Date(tried.at).toISOString(),
    trace: tried.trace,
    webhook_id,
    delivery_id: delivery,
    message_id: messageId(delivery, webhook_id),
    event: 'catalogue.updated',
    try: tried.number,
    status: tried.status,
    reason: tried.reason,
    state: tried.state,
    next_at: next === null ? null : new Date(next).toISOString(),
    payload: JSON.parse(tried.body),
  };
}
