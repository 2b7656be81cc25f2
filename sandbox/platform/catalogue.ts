import type { components } from '../../generated/rewards/types.ts';
import type { StateChange } from '../activity-log/activity-entry.ts';
import { loadContract } from '../contract/schemas.ts';
import type { JoinedBody } from '../contract/types.ts';
import { priceText } from '../domain/points.ts';
import { schedule } from '../jobs/work.ts';
import { orderedKey } from '../runtime/numbering.ts';
import type { Tx } from '../store/store.ts';
import type { Item, PlatformCollections } from './collections.ts';
import { cursorEnd, readCursor, writeCursor } from './cursor.ts';
import type { Platform } from './platform.ts';

/** A page of the rewards listing. */
type CataloguePage = components['schemas']['CataloguePage'];
type CatalogueItem = components['schemas']['CatalogueItem'];
/** A page, and its JSON. */
interface ListedPage {
  readonly body: CataloguePage;
  readonly joined: JoinedBody;
}
type Told = components['schemas']['CatalogueUpdated'];
type Change = Told['data']['items'][number]['change'];

/** Items of a page where the caller asks for no number. */
export const defaultLimit = 50;

/** An item as the interface lists it: numbers as text. */
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

/** An item as the listing shows it, and its JSON. */
interface ListedItem {
  readonly item: CatalogueItem;
  readonly text: string;
}

/** By record. A record never changes, so each is rendered, validated and serialised once. */
const listedItems = new WeakMap<Item, ListedItem>();

/** The listed form of an item. Throws where it breaks the contract. */
function listedItem(record: Item): ListedItem {
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

/** Whether the item is of the requested kind. */
export function isOfType(item: Item, type: 'egv' | 'physical' | 'all'): boolean {
  return type === 'all' || item.product_type.toLowerCase() === type;
}

/**
 * One page in the order of item ids: an id never changes, so a walk returns each existing item once (OP-12).
 */
export function cataloguePage(
  platform: Pick<Platform, 'store' | 'clock' | 'cursorKey'>,
  query: { readonly type?: 'egv' | 'physical'; readonly limit?: number; readonly cursor?: string },
): ListedPage | { kind: 'invalid_cursor' } {
  const filter = query.type ?? 'all';
  const limit = query.limit ?? defaultLimit;
  const now = platform.clock.now();
  const { cursor } = query;
  const position = cursor === undefined ? undefined : readCursor(cursor, platform.cursorKey, filter, now);
  if (cursor !== undefined && position === undefined) return { kind: 'invalid_cursor' };
  return pageAfter(platform, { after: position?.after, filter, until: cursorEnd(now) }, limit);
}

/** A page of items after a cursor, and the cursor of the next page. */
function pageAfter(
  platform: Pick<Platform, 'store' | 'cursorKey'>,
  { after, filter, until }: { after: string | undefined; filter: 'egv' | 'physical' | 'all'; until: number },
  limit: number,
): ListedPage {
  const found = itemsAfter(platform, after, filter, limit + 1);
  const has_more = found.length > limit;
  const last = has_more ? found[limit - 1] : undefined;
  const next_cursor =
    last === undefined ? null : writeCursor({ after: orderedKey(last.id), filter, until }, platform.cursorKey);
  const items: CatalogueItem[] = [];
  const texts: string[] = [];
  for (const record of has_more ? found.slice(0, limit) : found) {
    const { item, text } = listedItem(record);
    items.push(item);
    texts.push(text);
  }
  // A cursor has no character that JSON escapes.
  const end = next_cursor === null ? 'null' : `"${next_cursor}"`;
  const text = `{"items":[${texts.join()}],"next_cursor":${end},"has_more":${has_more}}`;
  const rest = { items: [], next_cursor, has_more };
  return { body: { items, next_cursor, has_more }, joined: { text, rest } };
}

/** One page by number of the items of a kind that have all the words in name or SKU, and how many there are. */
export function numberedPage(
  { store }: Pick<Platform, 'store'>,
  wanted: {
    readonly page: number;
    readonly limit: number;
    readonly type: 'egv' | 'physical' | 'all';
    readonly q: string;
  },
): { readonly items: Item[]; readonly total: number } {
  const { page, limit, type, q } = wanted;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (type === 'all' && words.length === 0) {
    // Counting needs no item.
    const upTo = store.range('items', { limit: page * limit });
    return { items: upTo.slice((page - 1) * limit), total: store.count('items') };
  }
  const found = store.range('items', {}).filter((item) => {
    const text = `${item.skus} ${item.sku_code}`.toLowerCase();
    return isOfType(item, type) && words.every((word) => text.includes(word));
  });
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
}

function itemsAfter(
  { store }: Pick<Platform, 'store'>,
  start: string | undefined,
  filter: 'egv' | 'physical' | 'all',
  wanted: number,
): Item[] {
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

/** The item with this code, listed or not, or undefined. */
export function itemOf(reader: Pick<Tx<PlatformCollections>, 'find' | 'get'>, sku: string): Item | undefined {
  return reader.find('items', 'sku', sku)[0] ?? reader.get('unlisted', sku);
}

/**
 * Stores an item, with the status for its stock (OP-49), and notifies every registered webhook in the same
 * transaction (OP-26). Unlisted items cause no event.
 */
export function putItem(
  platform: Pick<Platform, 'clock' | 'activity'>,
  tx: Tx<PlatformCollections>,
  item: Item,
  why: Pick<StateChange, 'trace' | 'party'>,
): Item {
  const before = tx.get('items', orderedKey(item.id));
  const put = { ...item, status: statusFor(item) };
  if (tx.get('unlisted', item.sku_code) !== undefined) {
    tx.put('unlisted', item.sku_code, put);
    return put;
  }
  tx.put('items', orderedKey(item.id), put);
  tellOf(platform, tx, before === undefined ? 'created' : 'updated', put, why);
  return put;
}

/**
 * Removes a listed item from the catalogue, and notifies every registered webhook in the same transaction (OP-26, OP-86).
 */
export function removeItem(
  platform: Pick<Platform, 'clock' | 'activity'>,
  tx: Tx<PlatformCollections>,
  item: Item,
  why: Pick<StateChange, 'trace' | 'party'>,
): void {
  tx.remove('items', orderedKey(item.id));
  tellOf(platform, tx, 'removed', item, why);
}

function tellOf(
  { clock, activity }: Pick<Platform, 'clock' | 'activity'>,
  tx: Tx<PlatformCollections>,
  change: Change,
  item: Item,
  why: Pick<StateChange, 'trace' | 'party'>,
): void {
  const detail = { sku_code: item.sku_code, stock: item.stock, status: item.status };
  activity.note(tx, { ...why, event: `catalogue.${change}`, detail });
  const at = clock.now();
  const timestamp = new Date(at).toISOString();
  const event: Told = {
    type: 'catalogue.updated',
    timestamp,
    data: { items: [{ change, item: catalogueItem(item) }] },
  };
  const body = JSON.stringify(event);
  for (const { webhook_id } of tx.all('webhooks')) {
    schedule(tx, { kind: 'sendWebhook', at, trace: why.trace, payload: { webhook_id, body } });
  }
}

function statusFor(item: Item): Item['status'] {
  if (item.status === 1 && item.stock === 0) return 2;
  return item.status === 2 && item.stock > 0 ? 1 : item.status;
}
