import type { components as RewardsComponents } from '../../generated/rewards/types.ts';
import type { components } from '../../generated/sandbox/types.ts';
import type { StateChange } from '../activity-log/activity-entry.ts';
import { invalid } from '../domain/failures.ts';
import { parsePrice } from '../domain/points.ts';
import { schedule } from '../jobs/work.ts';
import { nextNumber, orderedKey } from '../runtime/ids.ts';
import { catalogueItem, itemOf } from './catalogue.ts';
import type { Item, PlatformTx, VendorName } from './collections.ts';
import type { Platform } from './platform.ts';

type PublicItem = components['schemas']['StockItem'];
type CatalogueUpdated = RewardsComponents['schemas']['CatalogueUpdated'];
type ItemUpdate = CatalogueUpdated['data']['items'][number];
type ItemInput = components['schemas']['ItemInput'];
type ItemChange = components['schemas']['ItemChange'];

/** A request that contradicts itself or the item's type. */
type Contradiction = ReturnType<typeof refuse>;

/** The parts of the platform that a catalogue change needs. */
type CatalogueParts = Pick<Platform, 'clock' | 'activity'>;

/** The trace of the call that causes a catalogue change, and the party that makes it. */
type Cause = Pick<StateChange, 'trace' | 'party'>;

/** The editable catalogue for the control API, with stock and vendors. */
export class Stock {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Returns items in id order. */
  list(after: number | undefined, limit: number): PublicItem[] {
    const range = after === undefined ? {} : { after: orderedKey(after) };
    return this.#platform.store.range('items', { ...range, limit }).map(toPublicItem);
  }

  /** Returns whether the catalogue has an item with this code. */
  has(sku: string): boolean {
    return itemOf(this.#platform.store, sku) !== undefined;
  }

  /** Returns the vendor of an item; the e-gift vendor if the item was removed. */
  vendorOf(sku: string): VendorName {
    return itemOf(this.#platform.store, sku)?.vendor ?? 'egift';
  }

  /** Adds an item. Returns `undefined` if the code is in use. */
  create(input: ItemInput, trace: string): Promise<PublicItem | Contradiction | undefined> {
    const { sku_code, product_type } = input;
    const blank: Omit<Item, 'id'> = {
      product_type,
      sku_code,
      status: 1,
      skus: product_type === 'EGV' ? `E-gift voucher ${sku_code}` : `Product ${sku_code}`,
      priceInr: 100,
      stock: 100,
      qty_trigger_limit: 20,
      vendor: product_type === 'EGV' ? 'egift' : 'merchandise',
    };
    return this.#platform.store.transact((tx) => {
      if (itemOf(tx, sku_code) !== undefined) return undefined;
      const item = changed(blank, input);
      return 'kind' in item ? item : this.#put(tx, { ...item, id: nextNumber(tx, 'items') }, trace);
    });
  }

  /** Changes an item. Returns `undefined` if there is none with this code. */
  change(sku: string, change: ItemChange, trace: string): Promise<PublicItem | Contradiction | undefined> {
    return this.#platform.store.transact((tx) => {
      const before = itemOf(tx, sku);
      if (before === undefined) return undefined;
      const item = changed(before, change);
      return 'kind' in item ? item : this.#put(tx, item, trace);
    });
  }

  /** Removes a listed item, and notifies every registered webhook (OP-26, OP-86). Returns whether it existed. */
  remove(sku: string, trace: string): Promise<boolean> {
    return this.#platform.store.transact((tx) => {
      const [item] = tx.find('items', 'sku', sku);
      if (item === undefined) return false;
      tx.remove('items', orderedKey(item.id));
      notifyWebhooks(this.#platform, tx, 'removed', item, { trace, party: 'sandbox' });
      return true;
    });
  }

  #put(tx: PlatformTx, item: Item, trace: string): PublicItem {
    return toPublicItem(putItem(this.#platform, tx, item, { trace, party: 'sandbox' }));
  }
}

function toPublicItem(item: Item): PublicItem {
  return { ...catalogueItem(item), stock: item.stock, vendor: item.vendor };
}

/** Returns the item after a change. Refuses fields of the other item type, and contradictory stock values. */
function changed<I extends Omit<Item, 'id'>>(item: I, change: ItemChange): I | Contradiction {
  const egv = item.product_type === 'EGV';
  const [foreign, price, stockText] = egv
    ? [['price', 'stock_qty'] as const, change.denomination_value, change.qty]
    : [['denomination_value', 'qty', 'qty_trigger_limit'] as const, change.price, change.stock_qty];
  const stray = foreign.find((field) => change[field] !== undefined);
  if (stray !== undefined) return refuse(stray, `does not belong to a ${item.product_type} item`);
  const fromText = stockText === undefined ? undefined : Number.parseInt(stockText, 10);
  if (fromText !== undefined && change.stock !== undefined && fromText !== change.stock) {
    return refuse('stock', `differs from ${egv ? 'qty' : 'stock_qty'}`);
  }
  const limit = change.qty_trigger_limit;
  return {
    ...item,
    skus: change.skus ?? item.skus,
    status: change.status ?? item.status,
    priceInr: (price === undefined ? undefined : parsePrice(price)) ?? item.priceInr,
    stock: change.stock ?? fromText ?? item.stock,
    qty_trigger_limit: limit === undefined ? item.qty_trigger_limit : Number.parseInt(limit, 10),
    vendor: change.vendor ?? item.vendor,
  };
}

function refuse(field: string, problem: string) {
  return invalid(`/${field}`, problem);
}

/**
 * Stores an item, with the status for its stock (OP-49), and notifies every registered webhook in the same transaction
 * (OP-26). Unlisted items trigger no event.
 */
export function putItem(platform: CatalogueParts, tx: PlatformTx, item: Item, why: Cause): Item {
  const before = tx.get('items', orderedKey(item.id));
  const put = { ...item, status: statusFor(item) };
  if (tx.get('unlisted', item.sku_code) !== undefined) {
    tx.put('unlisted', item.sku_code, put);
    return put;
  }
  tx.put('items', orderedKey(item.id), put);
  notifyWebhooks(platform, tx, before === undefined ? 'created' : 'updated', put, why);
  return put;
}

function notifyWebhooks(
  platform: CatalogueParts,
  tx: PlatformTx,
  change: ItemUpdate['change'],
  item: Item,
  why: Cause,
) {
  const { clock, activity } = platform;
  const detail = { sku_code: item.sku_code, stock: item.stock, status: item.status };
  activity.note(tx, { ...why, event: `catalogue.${change}`, detail });
  const at = clock.now();
  const body = updateText(change, catalogueItem(item), at);
  for (const { webhook_id } of tx.all('webhooks')) {
    schedule(tx, { kind: 'sendWebhook', at, trace: why.trace, payload: { webhook_id, body } });
  }
}

/** Returns the text of a message to webhooks about one item. */
export function updateText(change: ItemUpdate['change'], item: ItemUpdate['item'], at: number): string {
  const timestamp = new Date(at).toISOString();
  const event: CatalogueUpdated = { type: 'catalogue.updated', timestamp, data: { items: [{ change, item }] } };
  return JSON.stringify(event);
}

function statusFor(item: Item): Item['status'] {
  if (item.status === 1 && item.stock === 0) return 2;
  return item.status === 2 && item.stock > 0 ? 1 : item.status;
}
