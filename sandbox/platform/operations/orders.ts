import { orderName } from '../../domain/order.ts';
import {
  type GeneralCall,
  type GeneralReply,
  jwtOf,
  type RewardsCall,
  type RewardsReply,
  refuseForeign,
  type V2Call,
  type V2Reply,
} from '../access.ts';
import { orderResource } from '../orders.ts';
import { placeOrder } from '../place-order.ts';
import type { Platform } from '../platform.ts';

/** Places an order for a customer: in the customer's session, or by the company for the `uid` in the body (OP-05). */
export async function createRedemptionOrder(
  platform: Platform,
  call: RewardsCall<'createRedemptionOrder'>,
): Promise<RewardsReply<'createRedemptionOrder'>> {
  const { body, caller, trace, keep } = call;
  const foreign = refuseForeign(caller, body.uid, '/uid');
  if (foreign !== undefined) return foreign;
  return placeOrder(platform, { ...body, version: 'v1', jwt: jwtOf(caller), trace, keep });
}

/** Places an order in the same way as createRedemptionOrder, but calls the client in version 2.0 (E5, OP-29). */
export async function createOrder(platform: Platform, call: V2Call<'createOrder'>): Promise<V2Reply<'createOrder'>> {
  const { caller, trace, keep } = call;
  const { customer_id: uid, ...order } = call.body;
  const foreign = refuseForeign(caller, uid, '/customer_id');
  if (foreign !== undefined) return foreign;
  return placeOrder(platform, { ...order, uid, version: 'v2', jwt: jwtOf(caller), trace, keep });
}

/** Returns a placed order, from any API, to the company or to its own customer (E6, OP-29). */
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
  const notFound = { kind: 'not_found', what: orderName(order_id, redeem_code) } as const;
  if (order?.state !== 'placed') return notFound;
  // The code belongs to another order, so no order matches (OP-139).
  if (redeem_code !== undefined && !order.redeemCodes.includes(redeem_code)) return notFound;
  if (caller.kind === 'customer' && caller.uid !== order.uid) return notFound;
  return { status: 200, body: orderResource(store, order) };
}

/** Places an order for the logged-in user. There is no JWT, so the platform calls the client with the service token (F4; OP-28, OP-53). */
export async function createProductOrder(
  platform: Platform,
  call: GeneralCall<'createProductOrder'>,
): Promise<GeneralReply<'createProductOrder'>> {
  const { body, caller, trace, keep } = call;
  return placeOrder(platform, { ...body, uid: caller.uid, version: 'v1', jwt: undefined, trace, keep });
}
