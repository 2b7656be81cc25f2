import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Lets the reference client send a payment event (OP-71). */
export async function triggerPayment(
  control: Control,
  call: ControlCall<'triggerPayment'>,
): Promise<ControlReply<'triggerPayment'>> {
  return { status: 200, body: await control.triggers.payment(call.body, call.trace) };
}
