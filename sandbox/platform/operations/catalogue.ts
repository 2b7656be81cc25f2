import type { RewardsCall, RewardsReply, V2Call, V2Reply } from '../access.ts';
import { cataloguePage } from '../catalogue.ts';
import type { Platform } from '../platform.ts';

/** Lists the catalogue page by page (A4 to A9, OP-10 to OP-12). */
export function listRewards(platform: Platform, call: RewardsCall<'listRewards'>): RewardsReply<'listRewards'> {
  const page = cataloguePage(platform, call.query);
  return 'kind' in page ? page : { status: 200, ...page };
}

/** Lists the catalogue in the same way as listRewards (E4, OP-29). */
export async function listCatalog(platform: Platform, call: V2Call<'listCatalog'>): Promise<V2Reply<'listCatalog'>> {
  const page = cataloguePage(platform, call.query);
  return 'kind' in page ? page : { status: 200, ...page };
}
