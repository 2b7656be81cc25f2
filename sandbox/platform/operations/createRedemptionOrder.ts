import { refuseForeign } from '../access.ts';
import { jwtOf, type RewardsCall, type RewardsReply } from '../calls.ts';
import { placeOrder } from '../place-order.ts';
import type { Platform } from '../platform.ts';

/** Places an order for a customer: in the customer's session, or by the company for the `uid` of the body (OP-05). */
export async function createRedemptionOrder(
  platform: Platform,
  call: RewardsCall<'createRedemptionOrder'>,
): Promise<RewardsReply<'createRedemptionOrder'>> {
  const { body, caller, trace, keep } = call;
  const foreign = refuseForeign(caller, body.uid, '/uid');
  if (foreign !== undefined) return foreign;
  return placeOrder(platform, { ...body, version: 'v1', jwt: jwtOf(caller), trace, keep });
}
