import type { components as RewardsComponents } from '../../generated/rewards/types.ts';
import type { components, operations } from '../../generated/sandbox/types.ts';
import { type OrderStatus, orderPoints, orderStatus } from '../domain/order.ts';
import type { VendorVoucher } from '../domain/order-line.ts';
import { schedule } from '../jobs/work.ts';
import { nextNumber, numberedId, orderedKey } from '../runtime/ids.ts';
import type { Settings } from '../runtime/settings.ts';
import type { WatchedQuery } from '../runtime/waiting.ts';
import type { Range, Reader } from '../store/store.ts';
import { expectChange, lineChange } from './balances.ts';
import {
  type ApiVersion,
  customerStatus,
  type Line,
  type Order,
  type PlatformCollections,
  type PlatformLookup,
  type PlatformTx,
  type VoucherRecord,
} from './collections.ts';
import type { Platform } from './platform.ts';

/** Returns an order in the API's format (OP-06), read from the collections or within a transaction. */
export function orderResource(reader: PlatformLookup, order: Order): RewardsComponents['schemas']['Order'] {
  const lines = order.redeemCodes.map((code) => lineOf(reader, code));
  return {
    order_id: order.order_id,
    reference_id: order.reference_id,
    status: orderStatus(lines.map(({ status }) => status)),
    lines: lines.map((line) => ({
      redeemCode: line.redeemCode,
      sku_code: line.sku_code,
      product_type: line.product_type,
      product_name: line.product_name,
      quantity: line.quantity,
      points: orderPoints([line.points]),
      status: line.status,
      remark: line.remark,
    })),
    points: orderPoints(lines.map(({ points }) => points)),
    created_at: new Date(order.created).toISOString(),
    updated_at: new Date(order.updated).toISOString(),
  };
}

/** Returns the line of a redeem code. Throws if there is none. */
export function lineOf(reader: PlatformLookup, redeemCode: string): Line {
  const line = reader.get('lines', redeemCode);
  if (line === undefined) throw new Error(`the ledger has no line ${redeemCode}`);
  return line;
}

/** Returns the order with an id that a line or a work item refers to. Throws if there is none. */
export function orderOf(reader: PlatformLookup, order_id: string): Order {
  const order = reader.get('orders', order_id);
  if (order === undefined) throw new Error(`the ledger has no order ${order_id}`);
  return order;
}

/** Logs a state change of an order or of its lines. */
export function noteOrder(
  { activity }: Platform,
  tx: PlatformTx,
  { trace, uid, redeemCodes: redeem_codes }: Pick<Order, 'trace' | 'uid' | 'redeemCodes'>,
  event: string,
  detail: Readonly<Record<string, unknown>>,
): void {
  activity.note(tx, { trace, party: 'platform', event, uid, redeem_codes, detail });
}

const dayMilliseconds = 24 * 3600 * 1000;

/** Returns the record of a voucher issued by a vendor for a line. Its validity is a setting in days, by default a year (OP-47). */
export function voucherRecord(
  line: Line,
  voucher: VendorVoucher,
  partnerCode: string,
  { issued, voucher_validity }: Pick<VoucherRecord, 'issued'> & Pick<Settings, 'voucher_validity'>,
): VoucherRecord {
  const { redeemCode, uid, sku_code: productCode, product_name: productName, priceInr } = line;
  // A voucher has a value in whole rupees, never above its price (OP-134).
  const denomination = Math.floor(priceInr);
  const facts = { redeemCode, uid, partnerCode, productCode, productName, denomination };
  return { ...voucher, ...facts, issued, expires: issued + voucher_validity * dayMilliseconds };
}

type PublicOrder = components['schemas']['PlacedOrder'];
type Filter = Omit<NonNullable<operations['listPlacedOrders']['parameters']['query']>, 'wait'> & {
  readonly limit: number;
};

/** Placed orders for the control API (OP-84). */
export class PlacedOrders {
  readonly #store: Reader<PlatformCollections>;

  constructor(store: Reader<PlatformCollections>) {
    this.#store = store;
  }

  /** Returns a query for orders in placement order: the newest orders or, with `after`, the orders that follow it. */
  list(filter: Filter): WatchedQuery<PublicOrder> {
    const { after, limit } = filter;
    const isWanted = isIn(filter);
    return {
      collection: 'orders',
      matches: (order) => isWanted(order as Order),
      look: () => {
        const part = { limit, ...(after === undefined ? { reverse: true } : { after: orderedKey(after) }) };
        const orders = this.#store.range('orders', { ...indexFor(filter), ...part });
        const found = orders.map((order) => this.#toPublicOrder(order));
        return after === undefined ? found.reverse() : found;
      },
    };
  }

  /** Returns a placed order; `undefined` if no placed order has this id. */
  get(order_id: string): PublicOrder | undefined {
    const order = this.#store.get('orders', order_id);
    return order === undefined || order.seq === 0 ? undefined : this.#toPublicOrder(order);
  }

  /** Returns a query for one order that matches once the order is final. */
  ended(order_id: string): WatchedQuery<PublicOrder> {
    return {
      collection: 'orders',
      matches: (order) => (order as Order).order_id === order_id && (order as Order).status !== 'Pending',
      look: () => [this.get(order_id)].flatMap((found) => (found && found.order.status !== 'Pending' ? [found] : [])),
    };
  }

  #toPublicOrder(order: Order): PublicOrder {
    return { seq: order.seq, uid: order.uid, order: orderResource(this.#store, order) };
  }
}

/** Returns a predicate for orders that match a filter. */
function isIn({ uid, status, after = 0 }: Filter): (order: Order) => boolean {
  return (order) =>
    order.seq > after && (uid === undefined || order.uid === uid) && (status === undefined || order.status === status);
}

/** Returns the index that contains exactly the orders of a filter. */
function indexFor({ uid, status }: Filter): Pick<Range, 'by' | 'group'> {
  if (uid !== undefined && status !== undefined) return { by: 'customerStatus', group: customerStatus(uid, status) };
  if (uid !== undefined) return { by: 'customer', group: uid };
  return status === undefined ? {} : { by: 'status', group: status };
}

/** Returns the status of an order, combined from the statuses of its lines. */
export function statusOf(reader: PlatformLookup, { redeemCodes }: Order): OrderStatus {
  return orderStatus(redeemCodes.map((code) => lineOf(reader, code).status));
}

/** A line without its redeem code and order id. */
export type Draft = Omit<Line, 'redeemCode' | 'order_id'>;

/** The part of the request that the order stores. */
interface Origin extends Pick<Order, 'uid' | 'trace'> {
  readonly version: ApiVersion;
  readonly reference_id?: string;
}

/** An order and its lines during the calls to the client. */
export interface Placing {
  readonly order: Order;
  readonly lines: readonly Line[];
  /** The id of the work item that abandons the order if this process crashes before the order is placed. */
  readonly guard: string;
  readonly release: () => void;
}

/**
 * Stores the order as `placing`, with its codes and the work item that abandons it after a crash (OP-50). Resolves once
 * the caller can request the deductions. Resolves with `undefined` if another order has the same `reference_id`
 * (OP-133).
 */
export async function writePlacing(platform: Platform, request: Origin, drafts: readonly Draft[]) {
  const { store } = platform;
  let release = () => {};
  let placing = undefined as Omit<Placing, 'release'> | undefined;
  try {
    await store.transact((tx) => {
      placing = drawnUp(platform, tx, request, drafts);
      // Hold the work item before the commit, because the runner could start it as soon as it is written.
      if (placing !== undefined) release = platform.runner().hold(placing.guard);
    });
    return placing && { ...placing, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Creates the order and its lines in the transaction. Returns `undefined` if another order has the same `reference_id`. */
function drawnUp(platform: Platform, tx: PlatformTx, origin: Origin, drafts: readonly Draft[]) {
  const { uid, version, trace, reference_id = null } = origin;
  if (reference_id !== null && tx.find('orders', 'reference', reference_id).length > 0) return undefined;
  const now = platform.clock.now();
  const codes = platform.drawKept(tx, (random) => [random.code(4), ...drafts.map(() => random.code(6))]);
  const order_id = `${numberedId('ORD', nextNumber(tx, 'orders'))}-${codes[0]}`;
  const lines = drafts.map((draft, index) => ({
    ...draft,
    order_id,
    redeemCode: `${numberedId('RDM', nextNumber(tx, 'lines'))}-${codes[index + 1]}`,
  }));
  const redeemCodes = lines.map(({ redeemCode }) => redeemCode);
  const order: Order = {
    order_id,
    uid,
    door: version,
    reference_id,
    state: 'placing',
    redeemCodes,
    created: now,
    updated: now,
    trace,
    seq: 0,
  };
  tx.add('orders', order_id, order);
  for (const line of lines) {
    tx.add('lines', line.redeemCode, line);
    expectChange(platform, tx, { uid, version }, lineChange('deduction', line));
  }
  const guard = schedule(tx, { kind: 'abandonOrder', at: now, trace, payload: { order_id } });
  noteOrder(platform, tx, order, 'order.placing', { order_id });
  return { order, lines, guard };
}
