import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';

/** Lists every item with stock and vendor. */
export async function listCatalogue(
  control: Control,
  call: ControlCall<'listCatalogue'>,
): Promise<ControlReply<'listCatalogue'>> {
  const { after, limit = usualLimit } = call.query;
  const found = control.stock.list(after, limit + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ id }) => id) };
}
