import type { GeneralCall, GeneralReply } from '../calls.ts';
import { defaultLimit, listed, ofType } from '../catalogue.ts';
import type { Platform } from '../platform.ts';

/** Lists the catalogue by page number, filtered by kind and by words in name or SKU (interface F, OP-28). */
export async function listProducts(
  platform: Platform,
  call: GeneralCall<'listProducts'>,
): Promise<GeneralReply<'listProducts'>> {
  const { page = 1, limit = defaultLimit, type = 'all', q = '' } = call.query;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = platform.store.range('items', {}).filter((item) => {
    const text = `${item.skus} ${item.sku_code}`.toLowerCase();
    return ofType(item, type) && words.every((word) => text.includes(word));
  });
  const items = found.slice((page - 1) * limit, page * limit).map(listed);
  const total = found.length;
  return { status: 200, body: { items, page, limit, total, total_pages: Math.ceil(total / limit) } };
}
