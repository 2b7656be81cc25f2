import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Shows the orders that stand, oldest first; waits for one where the caller asks for that (OP-84). */
export async function listPlacedOrders(
  control: Control,
  call: ControlCall<'listPlacedOrders'>,
): Promise<ControlReply<'listPlacedOrders'>> {
  const { wait = 0, ...filter } = call.query;
  const look = () => control.orders.list(filter);
  const items = await control.waiting.first('orders', look, call.patience(wait));
  return { status: 200, body: { items: [...items] } };
}
