import { brandsIn } from '../brands.ts';
import { lost, type Portal, type PortalCall, type PortalReply } from '../portal.ts';
import { rewardPage } from '../reward-page.ts';

/** One reward, with the way to order it. */
export async function showReward(portal: Portal, call: PortalCall<'showReward'>): Promise<PortalReply<'showReward'>> {
  const { portalOrders } = portal;
  const { caller, trace, path } = call;
  const standing = await portalOrders.standing(caller, trace);
  if (standing.kind !== 'known') return lost(standing);
  const reward = portalOrders.reward(path.sku);
  if (reward === undefined) return { kind: 'not_found' };
  const brand = brandsIn(portalOrders.rewards({ type: 'all', q: '' }).rewards).find((each) =>
    each.rewards.some(({ sku }) => sku === reward.sku),
  );
  const shown = { reward, siblings: brand?.rewards ?? [], formKey: portalOrders.formKey(caller, reward.sku) };
  const text = rewardPage(portal, standing, shown);
  return { status: 200, type: 'text/html', text };
}
