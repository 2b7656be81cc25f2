import type { V2Call, V2Reply } from '../calls.ts';
import { cataloguePage } from '../catalogue.ts';
import type { Platform } from '../platform.ts';

/** Lists the catalogue as listRewards does (E4, OP-29). */
export async function listCatalog(platform: Platform, call: V2Call<'listCatalog'>): Promise<V2Reply<'listCatalog'>> {
  const page = cataloguePage(platform, call.query);
  return 'kind' in page ? page : { status: 200, body: page };
}
