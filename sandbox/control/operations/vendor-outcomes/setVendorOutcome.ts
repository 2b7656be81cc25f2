import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Decides what the vendor does with an item (OP-35). */
export async function setVendorOutcome(
  control: Control,
  call: ControlCall<'setVendorOutcome'>,
): Promise<ControlReply<'setVendorOutcome'>> {
  const sku = call.path.sku_code;
  if (!control.stock.has(sku)) return { kind: 'not_found' };
  const { outcome, times = 1 } = call.body;
  if (outcome === 'fail_then_deliver' && times > 4) {
    return {
      kind: 'invalid_request',
      where: '/times',
      problem: 'must be at most 4: the platform gives up after 5 attempts',
    };
  }
  await control.outcomes.set(sku, call.body, call.trace);
  return { status: 200, body: control.outcomes.get(sku) };
}
