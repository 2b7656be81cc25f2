import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Adds an item to the catalogue. */
export async function createCatalogueItem(
  control: Control,
  call: ControlCall<'createCatalogueItem'>,
): Promise<ControlReply<'createCatalogueItem'>> {
  const item = await control.stock.create(call.body, call.trace);
  if (item === undefined) return { kind: 'already_exists', id: call.body.sku_code };
  return 'kind' in item ? item : { status: 201, body: item };
}
