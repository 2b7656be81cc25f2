import { brandsIn } from '../brands.ts';
import { cataloguePage } from '../catalogue-page.ts';
import { lost, type Portal, type PortalCall, type PortalReply } from '../portal.ts';

/** Cards on one page. */
const limit = 12;

/** Profile, balance and one page of the catalogue (G10). */
export async function showRewards(
  portal: Portal,
  call: PortalCall<'showRewards'>,
): Promise<PortalReply<'showRewards'>> {
  const { portalOrders } = portal;
  const standing = await portalOrders.standing(call.caller, call.trace);
  if (standing.kind !== 'known') return lost(standing);
  const { type = '', q = '', page = 1 } = call.query;
  const rewards = portalOrders.rewards({ type: type === '' ? 'all' : type, q });
  const brands = brandsIn(rewards);
  const cards = brands.slice((page - 1) * limit, page * limit);
  const shelf = { type, q, page, cards, total: rewards.length, pages: Math.ceil(brands.length / limit) };
  return { status: 200, type: 'text/html', text: cataloguePage(portal, standing, shelf) };
}
