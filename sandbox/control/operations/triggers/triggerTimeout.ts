import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Lets the client look at a redemption as if it had been pending for too long (OP-22, OP-71). */
export async function triggerTimeout(
  control: Control,
  call: ControlCall<'triggerTimeout'>,
): Promise<ControlReply<'triggerTimeout'>> {
  const { redeemCode, on_timeout } = call.body;
  const state = await control.triggers.timeout(redeemCode, on_timeout, call.trace);
  return state === undefined ? { kind: 'not_found' } : { status: 200, body: { redeemCode, state } };
}
