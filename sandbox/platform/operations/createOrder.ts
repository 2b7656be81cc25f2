import { refuseForeign } from '../access.ts';
import { jwtOf, type V2Call, type V2Reply } from '../calls.ts';
import { placeOrder } from '../place-order.ts';
import type { Platform } from '../platform.ts';

/** Places an order as createRedemptionOrder does; its client is called in version 2.0 (E5, OP-29). */
export async function createOrder(platform: Platform, call: V2Call<'createOrder'>): Promise<V2Reply<'createOrder'>> {
  const { caller, trace, keep } = call;
  const { customer_id: uid, ...order } = call.body;
  const foreign = refuseForeign(caller, uid, '/customer_id');
  if (foreign !== undefined) return foreign;
  return placeOrder(platform, { ...order, uid, version: 'v2', jwt: jwtOf(caller), trace, keep });
}
