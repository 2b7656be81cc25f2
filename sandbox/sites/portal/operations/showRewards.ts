import { brandsIn } from '../brands.ts';
import { costOf } from '../card.ts';
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
  const { type = '', q = '', within = '', page = 1 } = call.query;
  const { rewards, total } = portalOrders.rewards({ type: type === '' ? 'all' : type, q });
  const { balance } = standing.points;
  const reached = rewards.filter((reward) => reward.available > 0 && costOf(reward) <= balance);
  const brands = brandsIn(within === 'balance' ? reached : rewards);
  const cards = brands.slice((page - 1) * limit, page * limit);
  const pages = Math.ceil(brands.length / limit);
  const [looked, affordable] = [rewards.length, reached.length];
  const shelf = { type, q, within, page, cards, total, looked, reached: affordable, pages };
  return { status: 200, type: 'text/html', text: cataloguePage(portal, standing, shelf) };
}
