import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageOfLog, usualLargeLimit } from '../../page.ts';

/** Shows the orders that stand, oldest first; waits for one where the caller asks for that (OP-84). */
export async function listPlacedOrders(
  control: Control,
  call: ControlCall<'listPlacedOrders'>,
): Promise<ControlReply<'listPlacedOrders'>> {
  const { wait = 0, limit = usualLargeLimit, ...filter } = call.query;
  const wanted = control.orders.list({ ...filter, limit: limit + 1 });
  const found = await control.waiting.first(wanted, call.patience(wait));
  return { status: 200, body: await pageOfLog(found, { after: filter.after, limit }) };
}
