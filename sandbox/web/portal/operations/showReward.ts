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
  const text = rewardPage(portal, standing, reward, portalOrders.formKey(caller, reward.sku));
  return { status: 200, type: 'text/html', text };
}
