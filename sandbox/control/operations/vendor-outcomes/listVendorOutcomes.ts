import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';

/** Lists what was decided for the vendors (OP-76). */
export async function listVendorOutcomes(
  control: Control,
  call: ControlCall<'listVendorOutcomes'>,
): Promise<ControlReply<'listVendorOutcomes'>> {
  const { after, limit = usualLimit } = call.query;
  const found = control.outcomes.list(after, limit + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ sku_code }) => sku_code) };
}
