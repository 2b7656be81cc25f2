import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Lists every item with stock and vendor. */
export async function listCatalogue(
  control: Control,
  _call: ControlCall<'listCatalogue'>,
): Promise<ControlReply<'listCatalogue'>> {
  return { status: 200, body: { items: control.stock.list() } };
}
