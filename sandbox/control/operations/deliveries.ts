import {
  type Control,
  type ControlCall,
  type ControlReply,
  pageAfter,
  pageOfLog,
  replyWith,
  usualLargeLimit,
  usualLimit,
} from '../control.ts';

/** Lists the platform's outstanding and failed deliveries (OP-24). */
export async function listDeliveries(
  control: Control,
  call: ControlCall<'listDeliveries'>,
): Promise<ControlReply<'listDeliveries'>> {
  const { after, limit = usualLimit } = call.query;
  const found = control.deliveries.list(after, limit + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ id }) => id) };
}

/** Lists the deliveries of a webhook. With `wait`, waits for an attempt (OP-85). */
export async function listWebhookDeliveries(
  control: Control,
  call: ControlCall<'listWebhookDeliveries'>,
): Promise<ControlReply<'listWebhookDeliveries'>> {
  const { webhook_id } = call.path;
  if (!control.webhookLog.knows(webhook_id)) return { kind: 'not_found', what: `Webhook ${webhook_id}` };
  const { wait = 0, after, limit = usualLargeLimit } = call.query;
  const tries = control.webhookLog.list(webhook_id, after, limit + 1);
  const found = await control.waiting.first(tries, call.patience(wait));
  return { status: 200, body: await pageOfLog(found, { after, limit }) };
}

/** Makes a delivery due immediately (OP-24). */
export async function replayDelivery(
  control: Control,
  call: ControlCall<'replayDelivery'>,
): Promise<ControlReply<'replayDelivery'>> {
  const delivery = await control.deliveries.replay(call.path.id, call.trace);
  return replyWith(delivery && { items: [delivery], next: null }, `Delivery ${call.path.id}`);
}

/** Makes all failed deliveries due immediately (OP-24). */
export async function replayParkedDeliveries(
  control: Control,
  call: ControlCall<'replayParkedDeliveries'>,
): Promise<ControlReply<'replayParkedDeliveries'>> {
  return { status: 200, body: { items: await control.deliveries.replayParked(call.trace), next: null } };
}
