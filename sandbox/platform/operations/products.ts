import type { GeneralCall, GeneralReply } from '../access.ts';
import { catalogueItem, defaultLimit, numberedPage } from '../catalogue.ts';
import type { Platform } from '../platform.ts';

/** Lists the catalogue by page number, filtered by type and by words in the name or SKU (F3, OP-28). */
export async function listProducts(
  platform: Platform,
  call: GeneralCall<'listProducts'>,
): Promise<GeneralReply<'listProducts'>> {
  const { page = 1, limit = defaultLimit, type = 'all', q = '' } = call.query;
  const { items, total } = numberedPage(platform, { page, limit, type, q });
  const body = { items: items.map(catalogueItem), page, limit, total, total_pages: Math.ceil(total / limit) };
  return { status: 200, body };
}
