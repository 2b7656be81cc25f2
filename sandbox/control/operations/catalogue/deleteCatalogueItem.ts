import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Removes an item from the catalogue (OP-86). */
export async function deleteCatalogueItem(
  control: Control,
  call: ControlCall<'deleteCatalogueItem'>,
): Promise<ControlReply<'deleteCatalogueItem'>> {
  const found = await control.stock.remove(call.path.sku_code, call.trace);
  return found ? { status: 204 } : { kind: 'not_found' };
}
