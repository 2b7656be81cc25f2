import type { V2Call, V2Reply } from '../calls.ts';
import { orderResource } from '../order-resource.ts';
import type { Platform } from '../platform.ts';

/** Shows an order that stands, whichever API it came through, to the company or its own customer (E6, OP-29). */
export async function getOrderStatus(
  platform: Platform,
  call: V2Call<'getOrderStatus'>,
): Promise<V2Reply<'getOrderStatus'>> {
  const { caller, query } = call;
  const { order_id, redeem_code } = query;
  if (order_id === undefined && redeem_code === undefined) {
    return { kind: 'invalid_request', where: 'order_id or redeem_code', problem: 'is required' };
  }
  const { store } = platform;
  const order = store.get('orders', order_id ?? store.get('lines', redeem_code ?? '')?.order_id ?? '');
  if (order?.state !== 'placed') return { kind: 'not_found' };
  // A code of another order: there is no such order (OP-139).
  if (redeem_code !== undefined && !order.redeemCodes.includes(redeem_code)) return { kind: 'not_found' };
  if (caller.kind === 'customer' && caller.uid !== order.uid) return { kind: 'not_found' };
  return { status: 200, body: orderResource(store, order) };
}
