import { type Control, type ControlCall, type ControlReply, deletionReply, pageAfter, usualLimit } from '../control.ts';

/** Adds an item to the catalogue. */
export async function createCatalogueItem(
  control: Control,
  call: ControlCall<'createCatalogueItem'>,
): Promise<ControlReply<'createCatalogueItem'>> {
  const item = await control.stock.create(call.body, call.trace);
  if (item === undefined) return { kind: 'already_exists', id: call.body.sku_code };
  return 'kind' in item ? item : { status: 201, body: item };
}

/** Removes an item from the catalogue (OP-86). */
export async function deleteCatalogueItem(
  control: Control,
  { path: { sku_code }, trace }: ControlCall<'deleteCatalogueItem'>,
): Promise<ControlReply<'deleteCatalogueItem'>> {
  return deletionReply(await control.stock.remove(sku_code, trace), `Item ${sku_code}`);
}

/** Lists all items with their stock and vendor. */
export async function listCatalogue(
  control: Control,
  call: ControlCall<'listCatalogue'>,
): Promise<ControlReply<'listCatalogue'>> {
  const { after, limit = usualLimit } = call.query;
  const found = control.stock.list(after, limit + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ id }) => id) };
}

/** Changes an item of the catalogue. */
export async function updateCatalogueItem(
  control: Control,
  call: ControlCall<'updateCatalogueItem'>,
): Promise<ControlReply<'updateCatalogueItem'>> {
  const item = await control.stock.change(call.path.sku_code, call.body, call.trace);
  if (item === undefined) return { kind: 'not_found', what: `Item ${call.path.sku_code}` };
  return 'kind' in item ? item : { status: 200, body: item };
}
