import type { RewardsCall, RewardsReply } from '../calls.ts';
import { cataloguePage } from '../catalogue.ts';
import type { Platform } from '../platform.ts';

/** Lists the catalogue page by page (A4 to A9, OP-10 to OP-12). */
export function listRewards(platform: Platform, call: RewardsCall<'listRewards'>): RewardsReply<'listRewards'> {
  const page = cataloguePage(platform, call.query);
  return 'kind' in page ? page : { status: 200, body: page };
}
