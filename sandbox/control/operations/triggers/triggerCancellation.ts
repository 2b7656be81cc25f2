import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Cancels a pending redemption, or those of an order, in the company's name (OP-127, OP-129). */
export async function triggerCancellation(
  control: Control,
  call: ControlCall<'triggerCancellation'>,
): Promise<ControlReply<'triggerCancellation'>> {
  const { redeemCode, order_id } = call.body;
  if (redeemCode === undefined && order_id === undefined) {
    return { kind: 'invalid_request', where: '/redeemCode or /order_id', problem: 'is required' };
  }
  const caused = await control.triggers.cancellation(call.body, call.trace);
  if (caused === undefined) return { kind: 'not_found' };
  return 'kind' in caused ? caused : { status: 200, body: caused };
}
