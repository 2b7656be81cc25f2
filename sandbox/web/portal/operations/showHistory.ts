import { historyPage } from '../history-page.ts';
import type { Portal, PortalCall, PortalReply } from '../portal.ts';
import { statementOf } from '../statement.ts';

/** Rows on one page. */
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
  const [orders, earned] = [portalOrders.orders(caller), portalOrders.earned(caller)];
  const rows = statementOf(orders, earned, standing.kind === 'known' ? standing.points.balance : undefined);
  const past = {
    rows: rows.slice((page - 1) * limit, page * limit),
    page,
    pages: Math.ceil(rows.length / limit),
    ordered: orders.length > 0,
    earned: earned.length > 0,
  };
  return { status: 200, type: 'text/html', text: historyPage(portal, standing, past) };
}
