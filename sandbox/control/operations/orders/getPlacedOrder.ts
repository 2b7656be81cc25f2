import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Shows an order; waits for its end where the caller asks for that (OP-84). */
export async function getPlacedOrder(
  control: Control,
  call: ControlCall<'getPlacedOrder'>,
): Promise<ControlReply<'getPlacedOrder'>> {
  const { order_id } = call.path;
  const known = control.orders.get(order_id);
  if (known === undefined) return { kind: 'not_found' };
  const { wait = 0 } = call.query;
  const [end] = await control.waiting.first(control.orders.ended(order_id), call.patience(wait));
  return { status: 200, body: end ?? control.orders.get(order_id) ?? known };
}
