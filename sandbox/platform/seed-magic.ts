import type { MagicItem } from '../magic/table.ts';
import type { Tx } from '../store/store.ts';
import type { PlatformBooks } from './books.ts';

/** Ids of unlisted items start here, so that they meet no listed one. */
const firstId = 900_001;
const plenty = 999_999_999;

/** Puts the magic items beside the catalogue; those that are there stay as they are. Returns the new ones. */
export function seedMagicItems(tx: Tx<PlatformBooks>, rows: readonly MagicItem[]): readonly MagicItem[] {
  const missing = rows.filter(({ value }) => tx.get('unlisted', value) === undefined);
  for (const row of missing) {
    const { value, physical = false, stock = plenty } = row;
    tx.put('unlisted', value, {
      id: firstId + rows.indexOf(row),
      product_type: physical ? 'PHYSICAL' : 'EGV',
      sku_code: value,
      status: stock === 0 ? 2 : 1,
      skus: `Magic ${physical ? 'product' : 'e-gift voucher'} ${value}`,
      priceInr: 100,
      stock,
      qty_trigger_limit: 20,
      vendor: physical ? 'merchandise' : 'egift',
    });
  }
  return missing;
}
