import type { GeneralCall, GeneralReply } from '../calls.ts';
import { placeOrder } from '../place-order.ts';
import type { Platform } from '../platform.ts';

/** Places an order for the user who is logged in; there is no JWT, so in the company's name (F4; OP-28, OP-53). */
export async function createProductOrder(
  platform: Platform,
  call: GeneralCall<'createProductOrder'>,
): Promise<GeneralReply<'createProductOrder'>> {
  const { body, caller, trace, keep } = call;
  return placeOrder(platform, { ...body, uid: caller.uid, version: 'v1', jwt: undefined, trace, keep });
}
