import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Lists what was decided for the vendors (OP-76). */
export async function listVendorOutcomes(
  control: Control,
  _: ControlCall<'listVendorOutcomes'>,
): Promise<ControlReply<'listVendorOutcomes'>> {
  return { status: 200, body: { items: control.outcomes.list() } };
}
