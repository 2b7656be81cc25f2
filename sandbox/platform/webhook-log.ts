import type { components } from '../../generated/sandbox/types.ts';
import { nextNumber, orderedKey } from '../runtime/ids.ts';
import type { WatchedQuery } from '../runtime/waiting.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Range, Reader, Tx } from '../store/store.ts';
import type { PlatformCollections, WebhookTry } from './collections.ts';

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
export function logTry(tx: Tx<PlatformCollections>, tried: Omit<WebhookTry, 'seq'>): void {
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
