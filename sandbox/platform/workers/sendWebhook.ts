import { Webhook as Signer } from 'standardwebhooks';
import type { components } from '../../../generated/sandbox/types.ts';
import { wordsOf } from '../../domain/failures.ts';
import { callOut } from '../../http-client/call-out.ts';
import { answerOf } from '../../http-client/reply.ts';
import { finish, type Work } from '../../jobs/work.ts';
import { nextNumber, orderedKey } from '../../runtime/ids.ts';
import type { WatchedQuery } from '../../runtime/waiting.ts';
import { dropEnded } from '../../store/pruning.ts';
import type { Range, Reader } from '../../store/store.ts';
import type { PlatformCollections, PlatformTx, Webhook, WebhookTry } from '../collections.ts';
import type { Platform } from '../platform.ts';
import { tryLater } from './deliver.ts';

/** The result of an attempt. `reason` explains a failed attempt. */
type WebhookAnswer = Pick<WebhookTry, 'status' | 'reason'>;

/** Posts a catalogue update to a registered address, signed according to Standard Webhooks (OP-26, OP-24, OP-85). */
export async function sendWebhook(platform: Platform, work: Work): Promise<void> {
  const { webhook_id = '', body = '' } = work.payload;
  const { store, clock } = platform;
  const webhook = store.get('webhooks', webhook_id);
  if (webhook === undefined) return store.transact((tx) => finish(tx, work));
  const at = clock.now();
  const { id: delivery, trace, tries } = work;
  const answer = await postSigned(platform, webhook, {
    // The id is the same for every attempt of one event, so that receivers can discard duplicates.
    id: messageId(delivery, webhook_id),
    trace,
    body,
    // Receivers compare the timestamp with their own clock, which does not follow sandbox time (OP-135).
    at: platform.realTime(),
    signed: body,
  });
  await store.transact((tx) => {
    const end = settle(platform, tx, work, answer);
    logTry(tx, { at, trace, webhook_id, delivery, number: tries + 1, ...answer, ...end, body });
  });
}

/** The state of a delivery after an attempt, and the time of the next one. */
type DeliveryState = Pick<WebhookTry, 'state' | 'next'>;

/** Finishes or reschedules the work. Returns the new state of the delivery. */
function settle(platform: Platform, tx: PlatformTx, work: Work, { reason }: WebhookAnswer): DeliveryState {
  if (reason === null || tx.get('webhooks', work.payload.webhook_id ?? '') === undefined) {
    finish(tx, work);
    return { state: reason === null ? 'delivered' : 'dropped', next: null };
  }
  const next = tryLater(platform, tx, work, reason);
  return next === undefined ? { state: 'parked', next: null } : { state: 'retrying', next };
}

/** A message to a registered address. */
interface Message {
  readonly id: string;
  readonly trace: string;
  readonly body: string;
  /** The timestamp, in milliseconds since 1970. */
  readonly at: number;
  /** The body that the signature covers. */
  readonly signed: string;
}

/** Posts a message, signed with the secret of its webhook. */
export async function postSigned(
  platform: Platform,
  { webhook_id, url, secret }: Webhook,
  { id, trace, body, at, signed }: Message,
): Promise<WebhookAnswer> {
  const call = {
    ...({ operation: 'catalogueUpdated', party: 'client', trace, method: 'POST', url } as const),
    request: JSON.parse(body),
    text: body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'webhook-signature': new Signer(secret).sign(id, new Date(at), signed),
    },
    outgoing: () => platform.outgoing,
    // Each registration has its own circuit, so a failing receiver does not block others.
    circuit: `catalogueUpdated ${webhook_id}`,
    judged: { by: 'status' } as const,
    refuses: () => false,
    message: () => undefined,
  };
  const outcome = await callOut(platform, call);
  const answer = answerOf(outcome);
  return { status: outcome.status, reason: answer.kind === 'accepted' ? null : wordsOf(answer) };
}

type PublicTry = components['schemas']['WebhookTry'];

/** Maximum number of stored attempts. The oldest are dropped first. */
const mostTries = 1_000;

/**
 * Returns the id of a message. It is the same for every attempt of one delivery, so that receivers can discard
 * duplicates (OP-26). Its suffix comes from the webhook's id, so that ids differ after a reset.
 */
function messageId(delivery: string, webhook_id: string): string {
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
