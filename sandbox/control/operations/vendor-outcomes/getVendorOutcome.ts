import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Shows what the vendor will do with an item (OP-35). */
export async function getVendorOutcome(
  control: Control,
  call: ControlCall<'getVendorOutcome'>,
): Promise<ControlReply<'getVendorOutcome'>> {
  const sku = call.path.sku_code;
  return control.stock.has(sku) ? { status: 200, body: control.outcomes.get(sku) } : { kind: 'not_found' };
}
