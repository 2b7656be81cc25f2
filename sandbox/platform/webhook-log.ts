import type { components } from '../../generated/sandbox/types.ts';
import { nextNumber, orderedKey } from '../runtime/ids.ts';
import type { WatchedQuery } from '../runtime/waiting.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Range, Reader, Tx } from '../store/store.ts';
import type { PlatformCollections, WebhookTry } from './collections.ts';

type PublicTry = components['schemas']['WebhookTry'];

/** Most attempts that are stored; the oldest are dropped first. */
const mostTries = 1_000;

/**
 * The id of a message: the same for every try of one delivery, so that a receiver can drop what it has seen (OP-26). It
 * ends like the id of its webhook, so that it is another one after a reset.
 */
export function messageId(delivery: string, webhook_id: string): string {
  return `MSG-${delivery}-${webhook_id.slice(-4)}`;
}

/** Notes a try in the transaction of its outcome (OP-85). */
export function logTry(tx: Tx<PlatformCollections>, tried: Omit<WebhookTry, 'seq'>): void {
  const seq = nextNumber(tx, 'webhookTries');
  tx.put('webhookTries', orderedKey(seq), { seq, ...tried });
  dropEnded(tx, 'webhookTries', tried.at, mostTries);
}

/** Deliveries to registered addresses and their results, for the control API (OP-85). */
export class WebhookLog {
  readonly #store: Reader<PlatformCollections>;

  constructor(store: Reader<PlatformCollections>) {
    this.#store = store;
  }

  /** Whether the webhook is registered, or was and has left tries behind. */
  knows(webhook_id: string): boolean {
    if (this.#store.get('webhooks', webhook_id) !== undefined) return true;
    return this.#store.range('webhookTries', { ...triesOf(webhook_id), limit: 1 }).length > 0;
  }

  /** The tries of a webhook, oldest first: the newest, or with `after` those that follow it. */
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
