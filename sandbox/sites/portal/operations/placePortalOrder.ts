import { problemsOf, written } from '../address.ts';
import { checkoutPage } from '../checkout-page.ts';
import { lost, type Portal, type PortalCall, type PortalReply } from '../portal.ts';
import type { NotPlaced } from '../portal-orders.ts';

/** Places the order of one form, once, and goes on to its page (OP-20, OP-96). */
export async function placePortalOrder(
  portal: Portal,
  call: PortalCall<'placePortalOrder'>,
): Promise<PortalReply<'placePortalOrder'>> {
  const { portalOrders } = portal;
  const { form_key: formKey, sku, quantity: count, address = '', pincode = '', state = '' } = call.body;
  const quantity = Number.parseInt(count, 10);
  const reward = portalOrders.reward(sku);
  if (reward === undefined) return { kind: 'not_found' };
  const shipping = { address, pincode, state };
  const shipped = reward.product_type === 'PHYSICAL';
  const problems = shipped ? problemsOf(shipping) : {};
  if (Object.keys(problems).length > 0) {
    const standing = await portalOrders.standing(call.caller, call.trace);
    if (standing.kind !== 'known') return lost(standing);
    const basket = { reward, quantity, formKey, address: shipping, problems };
    return { status: 422, type: 'text/html', text: checkoutPage(portal, standing, basket) };
  }
  const wish = { sku, quantity, ...(shipped && { shipping_address: written(shipping) }) };
  const placed = await portalOrders.place(
    call.caller,
    wish,
    (tx, decided) => call.keep(tx, typeof decided === 'string' ? goOn(decided) : refused(decided)),
    call.trace,
  );
  return placed.kind === 'placed' ? goOn(placed.order_id) : refused(placed);
}

function goOn(order_id: string) {
  return { status: 303, location: `orders/${order_id}` } as const;
}

/** The address was looked at before; an item that became a product meanwhile needs its page anew. */
function refused(why: NotPlaced) {
  return why.kind === 'invalid_request' ? ({ kind: 'incomplete_link' } as const) : why;
}
