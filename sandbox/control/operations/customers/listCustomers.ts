import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';

/** Lists the reference client's customers. */
export async function listCustomers(
  control: Control,
  call: ControlCall<'listCustomers'>,
): Promise<ControlReply<'listCustomers'>> {
  const { after, limit = usualLimit } = call.query;
  const found = control.customers.list(after, limit + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ uid }) => uid) };
}
