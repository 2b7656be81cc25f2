import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Touches, changes or removes an item, so that webhooks are told (OP-71, OP-86). */
export async function triggerCatalogueChange(
  control: Control,
  call: ControlCall<'triggerCatalogueChange'>,
): Promise<ControlReply<'triggerCatalogueChange'>> {
  const { change = 'updated', item } = call.body;
  if (change === 'removed' && item !== undefined) {
    return { kind: 'invalid_request', where: '/item', problem: 'cannot be combined with removed' };
  }
  const sku_code = call.body.sku_code ?? control.stock.list(undefined, 1)[0]?.sku_code;
  if (sku_code === undefined) return { kind: 'not_found' };
  const webhook_ids = control.triggers.webhookIds();
  if (change === 'removed') {
    if (!(await control.stock.remove(sku_code, call.trace))) return { kind: 'not_found' };
  } else {
    const changed = await control.stock.change(sku_code, item ?? {}, call.trace);
    if (changed === undefined) return { kind: 'not_found' };
    if ('kind' in changed) return { ...changed, where: `/item${changed.where}` };
  }
  return { status: 200, body: { sku_code, webhook_ids } };
}
