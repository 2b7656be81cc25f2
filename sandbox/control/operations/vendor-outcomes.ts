import { invalid } from '../../domain/failures.ts';
import { type Control, type ControlCall, type ControlReply, pageAfter, replyWith, usualLimit } from '../control.ts';

/** Restores the default outcome of an item (OP-35). */
export async function deleteVendorOutcome(
  control: Control,
  { path: { sku_code: sku }, trace }: ControlCall<'deleteVendorOutcome'>,
): Promise<ControlReply<'deleteVendorOutcome'>> {
  if (!control.stock.has(sku)) return { kind: 'not_found', what: `Item ${sku}` };
  await control.outcomes.delete(sku, trace);
  return { status: 204 };
}

/** Returns the vendor outcome of an item (OP-35). */
export async function getVendorOutcome(
  control: Control,
  { path: { sku_code: sku } }: ControlCall<'getVendorOutcome'>,
): Promise<ControlReply<'getVendorOutcome'>> {
  return replyWith(control.stock.has(sku) ? control.outcomes.get(sku) : undefined, `Item ${sku}`);
}

/** Lists the vendor outcomes that were set (OP-76). */
export async function listVendorOutcomes(
  control: Control,
  call: ControlCall<'listVendorOutcomes'>,
): Promise<ControlReply<'listVendorOutcomes'>> {
  const { after, limit = usualLimit } = call.query;
  const found = control.outcomes.list(after, limit + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ sku_code }) => sku_code) };
}

/** Sets the vendor outcome of an item (OP-35). */
export async function setVendorOutcome(
  control: Control,
  { path: { sku_code: sku }, body, trace }: ControlCall<'setVendorOutcome'>,
): Promise<ControlReply<'setVendorOutcome'>> {
  if (!control.stock.has(sku)) return { kind: 'not_found', what: `Item ${sku}` };
  const { outcome, times = 1 } = body;
  if (outcome === 'fail_then_deliver' && times > 4)
    return invalid('/times', 'must be at most 4: the platform gives up after 5 attempts');
  await control.outcomes.set(sku, body, trace);
  return { status: 200, body: control.outcomes.get(sku) };
}
