import { ownAddress } from '../address.ts';
import { checkoutPage } from '../checkout-page.ts';
import { lost, type Portal, type PortalCall, type PortalReply } from '../portal.ts';

/** What an order will cost and where it goes, before it is placed. */
export async function showCheckout(
  portal: Portal,
  call: PortalCall<'showCheckout'>,
): Promise<PortalReply<'showCheckout'>> {
  const { portalOrders } = portal;
  const { sku, quantity, form_key: formKey } = call.query;
  const standing = await portalOrders.standing(call.caller, call.trace);
  if (standing.kind !== 'known') return lost(standing);
  const reward = portalOrders.reward(sku);
  if (reward === undefined) return { kind: 'not_found' };
  const basket = { reward, quantity, formKey, address: ownAddress(standing.profile), problems: {} };
  return { status: 200, type: 'text/html', text: checkoutPage(portal, standing, basket) };
}
