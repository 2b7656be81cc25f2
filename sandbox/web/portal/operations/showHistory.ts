import { historyPage } from '../history-page.ts';
import type { Portal, PortalCall, PortalReply } from '../portal.ts';

/** Orders on one page, and payments in all. */
const limit = 20;

/** What the platform knows of the customer's points: what it calculated, and every redemption as it stands. */
export async function showHistory(
  portal: Portal,
  call: PortalCall<'showHistory'>,
): Promise<PortalReply<'showHistory'>> {
  const { portalOrders } = portal;
  const { caller, trace, query } = call;
  const standing = await portalOrders.standing(caller, trace);
  if (standing.kind === 'refused') return { kind: 'session_ended' };
  const { page = 1 } = query;
  const all = portalOrders.orders(caller);
  const orders = all.slice((page - 1) * limit, page * limit);
  const past = {
    orders,
    page,
    pages: Math.ceil(all.length / limit),
    earned: portalOrders.earned(caller).slice(0, limit),
  };
  return { status: 200, type: 'text/html', text: historyPage(portal, standing, past) };
}
