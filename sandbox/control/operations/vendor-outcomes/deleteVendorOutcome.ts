import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Goes back to the default outcome (OP-35). */
export async function deleteVendorOutcome(
  control: Control,
  call: ControlCall<'deleteVendorOutcome'>,
): Promise<ControlReply<'deleteVendorOutcome'>> {
  const sku = call.path.sku_code;
  if (!control.stock.has(sku)) return { kind: 'not_found' };
  await control.outcomes.delete(sku, call.trace);
  return { status: 204 };
}
