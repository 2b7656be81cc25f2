import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Puts every delivery that was given up on back as due now (OP-24). */
export async function replayParkedDeliveries(
  control: Control,
  call: ControlCall<'replayParkedDeliveries'>,
): Promise<ControlReply<'replayParkedDeliveries'>> {
  return { status: 200, body: { items: await control.deliveries.replayParked(call.trace), next: null } };
}
