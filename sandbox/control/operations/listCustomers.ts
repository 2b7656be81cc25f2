import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Lists the reference client's customers. */
export async function listCustomers(
  control: Control,
  _call: ControlCall<'listCustomers'>,
): Promise<ControlReply<'listCustomers'>> {
  return { status: 200, body: { items: control.customers.list() } };
}
