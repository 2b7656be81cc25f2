import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';

/** Shows what the platform has still to deliver, and what it gave up on (OP-24). */
export async function listDeliveries(
  control: Control,
  call: ControlCall<'listDeliveries'>,
): Promise<ControlReply<'listDeliveries'>> {
  const { after, limit = usualLimit } = call.query;
  const found = control.deliveries.list(after, limit + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ id }) => id) };
}
