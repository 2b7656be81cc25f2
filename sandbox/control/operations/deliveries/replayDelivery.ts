import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Puts one delivery back as due now (OP-24). */
export async function replayDelivery(
  control: Control,
  call: ControlCall<'replayDelivery'>,
): Promise<ControlReply<'replayDelivery'>> {
  const delivery = await control.deliveries.replay(call.path.id, call.trace);
  return delivery === undefined ? { kind: 'not_found' } : { status: 200, body: { items: [delivery], next: null } };
}
