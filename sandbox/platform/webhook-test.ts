/** Test messages to registered addresses: does a receiver take what is right, and refuse what is not (OP-71, OP-26)? */
import type { components } from '../../generated/sandbox/types.ts';
import type { Webhook } from './collections.ts';
import type { Platform } from './platform.ts';
import { postSigned, type WebhookAnswer } from './workers/sendWebhook.ts';

type Message = components['schemas']['WebhookTestMessage'];

/** How old an old message is, in milliseconds: beyond the five minutes of Standard Webhooks. */
const hour = 3_600_000;

/** Sends one message, which is not repeated. */
export function sendTestMessage(
  platform: Platform,
  webhook: Webhook,
  message: Message,
  trace: string,
): Promise<WebhookAnswer> {
  const at = platform.realTime();
  const body = update(at, 'A test of the webhook');
  return postSigned(platform, webhook, {
    id: `MSG-TEST-${trace.slice(0, 16)}`,
    trace,
    body,
    at: message === 'old' ? at - hour : at,
    signed: message === 'wrong_signature' ? update(at, 'Another item') : body,
  });
}

/** A catalogue update about an item that is in no catalogue, so that nobody's copy changes. */
function update(at: number, skus: string): string {
  const item = {
    id: 999_999,
    product_type: 'PHYSICAL',
    sku_code: 'WEBHOOK-TEST-1',
    status: 1,
    skus,
    price: '40',
    stock_qty: '9',
  };
  const timestamp = new Date(at).toISOString();
  return JSON.stringify({ type: 'catalogue.updated', timestamp, data: { items: [{ change: 'updated', item }] } });
}
