import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Lets the vendor answer about one pending redemption at once (OP-35, OP-71). */
export async function triggerVendorOutcome(
  control: Control,
  call: ControlCall<'triggerVendorOutcome'>,
): Promise<ControlReply<'triggerVendorOutcome'>> {
  const { redeemCode, outcome } = call.body;
  const line = control.triggers.pendingLine(redeemCode);
  if (line === undefined) return { kind: 'not_found' };
  if ('kind' in line) return line;
  const { sku_code } = line;
  await control.outcomes.decide(redeemCode, sku_code, call.body, call.trace);
  await control.triggers.fulfilNow(redeemCode, call.trace);
  return { status: 200, body: { redeemCode, sku_code, outcome } };
}
