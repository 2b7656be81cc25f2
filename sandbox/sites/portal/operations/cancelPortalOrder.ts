import type { Portal, PortalCall, PortalReply } from '../portal.ts';

/** Cancels what is pending of an order, and goes back to its page (OP-127, OP-129). */
export async function cancelPortalOrder(
  { portalOrders }: Portal,
  { caller, trace, path }: PortalCall<'cancelPortalOrder'>,
): Promise<PortalReply<'cancelPortalOrder'>> {
  const { order_id } = path;
  const refusal = await portalOrders.cancel(caller, order_id, trace);
  return refusal ?? { status: 303, location: `../${order_id}` };
}
