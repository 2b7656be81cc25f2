import type { RewardsCall, RewardsReply } from '../calls.ts';
import { placeOrder } from '../place-order.ts';
import type { Platform } from '../platform.ts';

/** Places an order for a customer: in the customer's session, or by the company for the `uid` of the body (OP-05). */
export async function createRedemptionOrder(
  platform: Platform,
  call: RewardsCall<'createRedemptionOrder'>,
): Promise<RewardsReply<'createRedemptionOrder'>> {
  const { body, caller, trace, keep } = call;
  if (caller.kind === 'customer' && caller.uid !== body.uid) {
    return { kind: 'invalid_request', where: '/uid', problem: "must be the session's own customer" };
  }
  const jwt = caller.kind === 'customer' ? caller.jwt : undefined;
  return placeOrder(platform, { ...body, trace, jwt, keep });
}
