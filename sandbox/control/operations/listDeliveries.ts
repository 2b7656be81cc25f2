import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Shows what the platform has still to deliver, and what it gave up on (OP-24). */
export async function listDeliveries(
  control: Control,
  _call: ControlCall<'listDeliveries'>,
): Promise<ControlReply<'listDeliveries'>> {
  return { status: 200, body: { items: control.deliveries.list() } };
}
