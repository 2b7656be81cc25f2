import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Changes an item of the catalogue. */
export async function updateCatalogueItem(
  control: Control,
  call: ControlCall<'updateCatalogueItem'>,
): Promise<ControlReply<'updateCatalogueItem'>> {
  const item = await control.stock.change(call.path.sku_code, call.body, call.trace);
  if (item === undefined) return { kind: 'not_found' };
  return 'kind' in item ? item : { status: 200, body: item };
}
