import { Webhook as Signer } from 'standardwebhooks';
import { wordsOf } from '../../domain/failures.ts';
import { callOut } from '../../http-client/call-out.ts';
import { answerOf } from '../../http-client/reply.ts';
import { finish, type Work } from '../../jobs/work.ts';
import type { PlatformTx, Webhook, WebhookTry } from '../collections.ts';
import { logTry, messageId } from '../deliveries.ts';
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
