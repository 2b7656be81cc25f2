import { historyPage } from '../history-page.ts';
import type { Portal, PortalCall, PortalReply } from '../portal.ts';
import { statementOf } from '../statement.ts';

/** What the platform knows of the customer's points: what it calculated, and every redemption as it stands. */
export async function showHistory(
  portal: Portal,
  call: PortalCall<'showHistory'>,
): Promise<PortalReply<'showHistory'>> {
  const { portalOrders } = portal;
  const { caller, trace, query } = call;
  const standing = await portalOrders.standing(caller, trace);
  if (standing.kind === 'refused') return { kind: 'session_ended' };
  const { before } = query;
  const part = portalOrders.history(caller, before);
  if (part === undefined) return { kind: 'incomplete_link' };
  const balance = standing.kind === 'known' ? standing.points.balance : undefined;
  const { rows, left } = statementOf(part.happened, before === undefined ? balance : part.left);
  const { ordered, earned, older } = part;
  const past = { rows, isNewest: before === undefined, older: older?.(left), ordered, earned };
  return { status: 200, type: 'text/html', text: historyPage(portal, standing, past) };
}
