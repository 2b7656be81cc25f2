import { invalid } from '../../domain/failures.ts';
import { orderName } from '../../domain/order.ts';
import { type Control, type ControlCall, type ControlReply, replyWith } from '../control.ts';

/** Cancels a pending redemption, or those of an order, on behalf of the company (OP-127, OP-129). */
export async function triggerCancellation(
  control: Control,
  call: ControlCall<'triggerCancellation'>,
): Promise<ControlReply<'triggerCancellation'>> {
  const { redeemCode, order_id } = call.body;
  if (redeemCode === undefined && order_id === undefined) return invalid('/redeemCode or /order_id', 'is required');
  const caused = await control.triggers.cancellation(call.body, call.trace);
  if (caused === undefined) return { kind: 'not_found', what: orderName(order_id, redeemCode) };
  return 'kind' in caused ? caused : { status: 200, body: caused };
}

/** Touches, changes or removes an item, so that webhooks are sent (OP-71, OP-86). */
export async function triggerCatalogueChange(
  control: Control,
  call: ControlCall<'triggerCatalogueChange'>,
): Promise<ControlReply<'triggerCatalogueChange'>> {
  const { change = 'updated', item } = call.body;
  if (change === 'removed' && item !== undefined) return invalid('/item', 'cannot be combined with removed');
  const sku_code = call.body.sku_code ?? control.stock.list(undefined, 1)[0]?.sku_code;
  if (sku_code === undefined) return { kind: 'not_found', what: 'A catalogue item' };
  const webhook_ids = control.triggers.webhookIds();
  if (change === 'removed') {
    if (!(await control.stock.remove(sku_code, call.trace))) return { kind: 'not_found', what: `Item ${sku_code}` };
  } else {
    const changed = await control.stock.change(sku_code, item ?? {}, call.trace);
    if (changed === undefined) return { kind: 'not_found', what: `Item ${sku_code}` };
    if ('kind' in changed) return { ...changed, where: `/item${changed.where}` };
  }
  return { status: 200, body: { sku_code, webhook_ids } };
}

/** Makes the reference client send a payment event (OP-71). */
export async function triggerPayment(
  control: Control,
  call: ControlCall<'triggerPayment'>,
): Promise<ControlReply<'triggerPayment'>> {
  return { status: 200, body: await control.triggers.payment(call.body, call.trace) };
}

/** Makes the platform report a status, whether correct or not (OP-21, OP-71). */
export async function triggerStatusUpdate(
  control: Control,
  call: ControlCall<'triggerStatusUpdate'>,
): Promise<ControlReply<'triggerStatusUpdate'>> {
  const caused = await control.triggers.statusUpdate(call.body, call.trace);
  return replyWith(caused, `Redemption ${call.body.redeemCode}`);
}

/** Makes the client check a redemption as if it had been Pending for too long (OP-22, OP-71). */
export async function triggerTimeout(
  control: Control,
  call: ControlCall<'triggerTimeout'>,
): Promise<ControlReply<'triggerTimeout'>> {
  const { redeemCode, on_timeout } = call.body;
  const state = await control.triggers.timeout(redeemCode, on_timeout, call.trace);
  return replyWith(state && { redeemCode, state }, `Redemption ${redeemCode}`);
}

/** Makes the vendor answer a pending redemption immediately (OP-35, OP-71). */
export async function triggerVendorOutcome(
  control: Control,
  call: ControlCall<'triggerVendorOutcome'>,
): Promise<ControlReply<'triggerVendorOutcome'>> {
  const { redeemCode, outcome } = call.body;
  const line = control.triggers.pendingLine(redeemCode);
  if (line === undefined) return { kind: 'not_found', what: `Redemption ${redeemCode}` };
  if ('kind' in line) return line;
  const { sku_code } = line;
  await control.outcomes.decide(redeemCode, sku_code, call.body, call.trace);
  await control.triggers.fulfilNow(redeemCode, call.trace);
  return { status: 200, body: { redeemCode, sku_code, outcome } };
}

/** Sends a test message to a webhook, and returns the result (OP-71). */
export async function triggerWebhookTest(
  control: Control,
  call: ControlCall<'triggerWebhookTest'>,
): Promise<ControlReply<'triggerWebhookTest'>> {
  const caused = await control.triggers.webhookTest(call.body, call.trace);
  return replyWith(caused, `Webhook ${call.body.webhook_id ?? '(the one registered last)'}`);
}
