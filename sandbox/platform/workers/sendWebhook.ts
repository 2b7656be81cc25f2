import { createHmac } from 'node:crypto';
import { finish, type Work } from '../../runtime/due.ts';
import { reasonOf } from '../../runtime/outgoing.ts';
import type { Platform } from '../platform.ts';
import { tryLater } from './deliver.ts';

/** Posts a catalogue update to a registered address, signed as Standard Webhooks lays down (OP-26, OP-24). */
export async function sendWebhook(platform: Platform, work: Work): Promise<void> {
  const { webhook_id = '', body = '' } = work.payload;
  const webhook = platform.store.get('webhooks', webhook_id);
  if (webhook === undefined) return platform.store.transact((tx) => finish(tx, work));
  const problem = await post(platform, work, webhook, body);
  await platform.store.transact((tx) => {
    if (problem === undefined || tx.get('webhooks', webhook_id) === undefined) finish(tx, work);
    else tryLater(platform, tx, work, problem);
  });
}

/** Sends one try. Answers undefined when it was received, else why not. */
async function post(
  platform: Platform,
  work: Work,
  { url, secret }: { url: string; secret: string },
  body: string,
): Promise<string | undefined> {
  const timestamp = String(Math.floor(platform.clock.now() / 1000));
  // The id stays the same for every try of one event, so that a receiver can drop what it has seen.
  const id = `MSG-${work.id}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    traceparent: `00-${work.trace}-${platform.random.hex(8)}-01`,
  };
  const request: unknown = JSON.parse(body);
  const seen = {
    kind: 'call_out',
    trace: work.trace,
    party: 'client',
    method: 'POST',
    url,
    operation: 'catalogueUpdated',
    request,
  } as const;
  try {
    const { status, ok } = await platform.outgoing.fetch(url, { method: 'POST', headers, body });
    platform.activity.call({ ...seen, status, reply: null, notices: [] });
    return ok ? undefined : `status ${status}`;
  } catch (error) {
    const reason = reasonOf(error);
    platform.activity.call({ ...seen, status: null, reply: null, notices: [reason] });
    return reason;
  }
}
