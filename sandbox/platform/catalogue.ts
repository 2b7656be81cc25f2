import { createHmac, type KeyObject } from 'node:crypto';
import type { components } from '../../generated/rewards/types.ts';
import { loadContract } from '../contract/schemas.ts';
import type { JoinedBody } from '../contract/types.ts';
import { priceText } from '../domain/points.ts';
import { orderedKey } from '../runtime/ids.ts';
import type { Settings } from '../runtime/settings.ts';
import { sameSecret } from '../runtime/tokens.ts';
import type { Item, PlatformTx } from './collections.ts';
import type { Platform } from './platform.ts';

type CatalogueItem = components['schemas']['CatalogueItem'];

/** A catalogue page and its serialized JSON. */
interface ListedPage {
  readonly body: components['schemas']['CataloguePage'];
  readonly joined: JoinedBody;
}

/** The type filter of a listing. */
type ItemFilter = 'egv' | 'physical' | 'all';

/** Default number of items per page. */
export const defaultLimit = 50;

/** Returns an item in the API's format, with numbers as text. */
export function catalogueItem(item: Item): CatalogueItem {
  const { id, sku_code, status, skus } = item;
  if (item.product_type === 'PHYSICAL') {
    const [price, stock_qty] = [priceText(item.priceInr), String(item.stock)];
    return { id, product_type: 'PHYSICAL', sku_code, status, skus, price, stock_qty };
  }
  return {
    id,
    product_type: 'EGV',
    sku_code,
    status,
    skus,
    denomination_value: priceText(item.priceInr),
    qty_trigger_limit: String(item.qty_trigger_limit),
    qty: String(item.stock),
  };
}

/**
 * Caches listed items, with their serialized JSON, by record. Records are immutable, so each is rendered, validated and
 * serialized once.
 */
const listedItems = new WeakMap<Item, { readonly item: CatalogueItem; readonly text: string }>();

/** Returns the listed form of an item. Throws if the item violates the contract. */
function listedItem(record: Item) {
  const known = listedItems.get(record);
  if (known !== undefined) return known;
  const item = catalogueItem(record);
  const [found] = loadContract('rewards').schemas.check('/components/schemas/CatalogueItem')(item) ?? [];
  if (found !== undefined)
    throw new Error(`item ${record.sku_code} breaks the contract: ${found.where} ${found.problem}`);
  const listed = { item, text: JSON.stringify(item) };
  listedItems.set(record, listed);
  return listed;
}

/** Returns whether the item is of the requested type. */
function isOfType(item: Item, type: ItemFilter): boolean {
  return type === 'all' || item.product_type.toLowerCase() === type;
}

/** Returns one page in item id order. Ids never change, so paging through the catalogue returns each existing item once (OP-12). */
export function cataloguePage(
  platform: Pick<Platform, 'store' | 'clock' | 'cursorKey' | 'settings'>,
  query: { readonly type?: 'egv' | 'physical'; readonly limit?: number; readonly cursor?: string },
): ListedPage | { readonly kind: 'invalid_cursor' } {
  const filter = query.type ?? 'all';
  const limit = query.limit ?? defaultLimit;
  const now = platform.clock.now();
  const { cursor } = query;
  const position = cursor === undefined ? undefined : readCursor(cursor, platform.cursorKey, filter, now);
  if (cursor !== undefined && position === undefined) return { kind: 'invalid_cursor' };
  const found = itemsAfter(platform, position?.after, filter, limit + 1);
  const has_more = found.length > limit;
  const last = has_more ? found[limit - 1] : undefined;
  const until = cursorEnd(now, platform.settings());
  const next_cursor =
    last === undefined ? null : writeCursor({ after: orderedKey(last.id), filter, until }, platform.cursorKey);
  const items: CatalogueItem[] = [];
  const texts: string[] = [];
  for (const record of has_more ? found.slice(0, limit) : found) {
    const { item, text } = listedItem(record);
    items.push(item);
    texts.push(text);
  }
  // A cursor contains no character that JSON escapes.
  const end = next_cursor === null ? 'null' : `"${next_cursor}"`;
  const text = `{"items":[${texts.join()}],"next_cursor":${end},"has_more":${has_more}}`;
  const rest = { items: [], next_cursor, has_more };
  return { body: { items, next_cursor, has_more }, joined: { text, rest } };
}

/** Returns a numbered page of items of a type whose name or SKU contains every word, with the total count. */
export function numberedPage(
  { store }: Pick<Platform, 'store'>,
  { page, limit, type, q }: Readonly<{ page: number; limit: number; type: ItemFilter; q: string }>,
) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (type === 'all' && words.length === 0) {
    // Counting does not load the items.
    const upTo = store.range('items', { limit: page * limit });
    return { items: upTo.slice((page - 1) * limit), total: store.count('items') };
  }
  const found = store.range('items', {}).filter((item) => {
    const text = `${item.skus} ${item.sku_code}`.toLowerCase();
    return isOfType(item, type) && words.every((word) => text.includes(word));
  });
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
}

function itemsAfter({ store }: Pick<Platform, 'store'>, start: string | undefined, filter: ItemFilter, wanted: number) {
  const found: Item[] = [];
  let after = start;
  while (found.length < wanted) {
    const slice = store.range('items', { limit: wanted, ...(after !== undefined && { after }) });
    found.push(...(filter === 'all' ? slice : slice.filter((item) => isOfType(item, filter))));
    const last = slice.at(-1);
    if (last === undefined || slice.length < wanted) break;
    after = orderedKey(last.id);
  }
  return found.slice(0, wanted);
}

/** Returns the item with this code, listed or not; `undefined` if there is none. */
export function itemOf(reader: Pick<PlatformTx, 'find' | 'get'>, sku: string): Item | undefined {
  return reader.find('items', 'sku', sku)[0] ?? reader.get('unlisted', sku);
}

/** A position in the catalogue: the key of the last returned item, the filter, and the cursor's expiry. */
interface Position {
  /** Must not contain a line break. */
  readonly after: string;
  readonly filter: string;
  /** Milliseconds on the sandbox clock. */
  readonly until: number;
}

const together = 30 * 60 * 1000;

/**
 * Returns the expiry of a cursor issued now: its lifetime after the next full or half hour. Rounding makes all pages of
 * one half hour identical, byte for byte.
 */
export function cursorEnd(now: number, { cursor_lifetime }: Pick<Settings, 'cursor_lifetime'>): number {
  return Math.ceil(now / together) * together + cursor_lifetime * 1000;
}

/** Returns a signed cursor for a position. It is opaque to the caller, and any change invalidates it (OP-12). */
export function writeCursor(position: Position, key: KeyObject): string {
  const payload = Buffer.from(`${position.until}\n${position.after}\n${position.filter}`).toString('base64url');
  return `${payload}.${seal(payload, key)}`;
}

/** Returns the position of a cursor; `undefined` if the cursor is forged, modified, expired or for another filter. */
export function readCursor(cursor: string, key: KeyObject, filter: string, now: number): Position | undefined {
  const [payload = '', given = '', ...rest] = cursor.split('.');
  if (rest.length > 0 || !sameSecret(given, seal(payload, key))) return undefined;
  const [end, after = '', ...made] = Buffer.from(payload, 'base64url').toString().split('\n');
  const until = Number(end);
  return made.join('\n') === filter && now < until ? { after, filter, until } : undefined;
}

/** Signs the encoded text, not the decoded bytes, because several base64url strings can decode to the same bytes. */
function seal(payload: string, key: KeyObject): string {
  return createHmac('sha256', key).update(payload).digest('base64url');
}
