import type { Accepted } from '../activity-log/call-log.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { KeptReply } from '../contract/types.ts';
import type { Account, BalanceChange } from '../domain/balance.ts';
import type { OrderState, OrderStatus } from '../domain/order.ts';
import type { LineState, VendorVoucher, VoucherForm } from '../domain/order-line.ts';
import type { LinePoints } from '../domain/points.ts';
import { aboutWork, type DueCollections, type Work } from '../jobs/work.ts';
import { digits, numberIn, orderedKey, type RandomCollections } from '../runtime/ids.ts';
import type { StoreSchema, Tx } from '../store/store.ts';

export type VendorName = 'egift' | 'merchandise' | 'services';

/** The API version that placed an order. The platform calls the client in the same version (OP-29). */
export type ApiVersion = 'v1' | 'v2';

/** A reward of the catalogue. The price is INR with at most two decimals; `domain/points.ts` parses and formats it. */
export interface Item {
  readonly id: number;
  readonly product_type: 'EGV' | 'PHYSICAL';
  readonly sku_code: string;
  readonly status: 0 | 1 | 2;
  readonly skus: string;
  readonly priceInr: number;
  readonly stock: number;
  readonly qty_trigger_limit: number;
  readonly vendor: VendorName;
  readonly voucherForm?: VoucherForm;
}

/**
 * An order. While it is `placing`, the client deducts points line by line. A `placed` order is final. A `failed` order
 * is stored only so that its lines can be reported.
 */
export interface Order {
  readonly order_id: string;
  readonly uid: string;
  /** The API version that placed the order. Data folders use the name `door`. */
  readonly door: ApiVersion;
  readonly reference_id: string | null;
  readonly state: OrderState;
  readonly redeemCodes: readonly string[];
  /** Milliseconds on the sandbox clock, like every time in these collections. */
  readonly created: number;
  readonly updated: number;
  readonly trace: string;
  /** The sequence number of the state change that placed the order; 0 until then. */
  readonly seq: number;
  /** The combined status of its lines, stored for the indexes; absent while the order is being placed. */
  readonly status?: OrderStatus;
}

/** An order line: one redemption. */
export interface Line extends LineState, Pick<Item, 'sku_code' | 'product_type' | 'priceInr'> {
  readonly redeemCode: string;
  readonly order_id: string;
  readonly uid: string;
  readonly product_name: string;
  readonly quantity: number;
  readonly points: LinePoints;
  /** The delivery address of a product; absent for a voucher, or if the order had none. */
  readonly shipping_address?: string;
}

export interface VoucherRecord extends VendorVoucher {
  readonly redeemCode: string;
  readonly uid: string;
  readonly partnerCode: string;
  readonly productCode: string;
  readonly productName: string;
  readonly denomination: number;
  readonly issued: number;
  readonly expires: number;
}

/** An accepted payment event. `fingerprint` is the hash of all its values. */
export interface Payment {
  readonly uid: string;
  readonly transactionId: string;
  readonly paymentAmount: string;
  readonly points: number;
  readonly fingerprint: string;
  readonly at: number;
  /** The sequence number of the state change that accepted it; absent if seeded. */
  readonly seq?: number;
}

/** A customer's session, with the JWT for calls to the client on the customer's behalf (OP-17). */
export interface Session {
  readonly uid: string;
  readonly jwt: string;
  readonly expires: number;
}

export interface Webhook {
  readonly webhook_id: string;
  readonly url: string;
  readonly secret: string;
  readonly created: number;
}

/** One delivery attempt to a webhook. `delivery` is the id of its work item. */
export interface WebhookTry {
  readonly seq: number;
  readonly at: number;
  readonly trace: string;
  readonly webhook_id: string;
  readonly delivery: string;
  readonly number: number;
  readonly status: number | null;
  readonly reason: string | null;
  readonly state: 'delivered' | 'retrying' | 'parked' | 'dropped';
  readonly next: number | null;
  readonly body: string;
}

/** A call that failed after the last retry (OP-24). */
export interface Parked extends Pick<Work, 'kind' | 'payload' | 'trace' | 'at' | 'tries'> {
  readonly reason: string;
}

/** The recorded balance of a customer at the partner's server `url`, read through API version `version` (OP-110). */
export interface BalanceAccount extends Account {
  readonly uid: string;
  readonly url: string;
  readonly version: ApiVersion;
}

/** A balance change without a response from the partner's own server. */
interface OpenChange extends BalanceChange {
  readonly uid: string;
  readonly url: string;
}

/** The platform's collections. */
export interface PlatformCollections extends ActivityCollections, DueCollections, RandomCollections {
  readonly items: Item;
  /** By code: items that can be ordered but are in no listing. */
  readonly unlisted: Item;
  readonly orders: Order;
  readonly lines: Line;
  readonly vouchers: VoucherRecord;
  readonly payments: Payment;
  readonly sessions: Session;
  /** Used portal tokens, by digest, with their expiry or, if later, the time of use. Each token opens the portal only once (OP-34). */
  readonly portalEntries: number;
  readonly webhooks: Webhook;
  readonly webhookTries: WebhookTry;
  readonly parked: Parked;
  readonly accounts: BalanceAccount;
  readonly openChanges: OpenChange;
  /** The sliding hour of OP-30, by instant: loaded from a snapshot or shared by several instances. */
  readonly acceptedAt: Accepted;
  readonly idempotency: KeptReply;
}

/** A transaction on the platform's collections. */
export type PlatformTx = Tx<PlatformCollections>;

/** The platform's collections or a transaction on them, to look up records by id. */
export type PlatformLookup = Pick<PlatformTx, 'get'>;

const day = 24 * 3600 * 1000;

/** Returns the index group of a customer's orders in one status. */
export function customerStatus(uid: string, status: OrderStatus): string {
  return `${status} ${uid}`;
}

/** Returns the index group of a customer's lines of one item. */
export function lineItem(uid: string, sku: string): string {
  return `${uid} ${sku}`;
}

/** Returns the reference that no other order may use. A failed order does not reserve its reference (OP-133). */
function referenceOf({ reference_id, state }: Order): string | undefined {
  return state === 'failed' ? undefined : (reference_id ?? undefined);
}

/** Returns the index key that sorts placed orders by placement; `undefined` before placement. */
function placed({ seq }: Order, group: string): readonly [group: string, place: string] | undefined {
  return seq === 0 ? undefined : [group, orderedKey(seq)];
}

/** Returns the sort key of an order or payment in its customer's history: its time, then its sequence number. */
export function happenedAt(happened: Pick<Order, 'created' | 'seq'> | Pick<Payment, 'at' | 'seq'>): string {
  const at = 'created' in happened ? happened.created : happened.at;
  return `${digits(Math.max(0, Math.floor(at)), 16)}-${orderedKey(happened.seq ?? 0)}`;
}

/** The schema. Stored replies expire after the promised day (OP-20), and used portal tokens 30 days after their expiry (OP-57). */
export const platformSchema: StoreSchema<
  Omit<PlatformCollections, keyof ActivityCollections | keyof DueCollections | keyof RandomCollections>
> = {
  items: { ordered: true, indexes: { sku: (item) => item.sku_code } },
  unlisted: {},
  orders: {
    ordered: ({ seq }) => (seq === 0 ? undefined : orderedKey(seq)),
    indexes: { reference: referenceOf },
    sorted: {
      customer: (order) => placed(order, order.uid),
      status: (order) => order.status && placed(order, order.status),
      customerStatus: (order) => order.status && placed(order, customerStatus(order.uid, order.status)),
      history: (order) => (order.state === 'placed' ? [order.uid, happenedAt(order)] : undefined),
    },
  },
  lines: {
    indexes: {
      held: ({ held, uid }) => (held === true ? uid : undefined),
      pending: ({ status, uid }) => (status === 'Pending' ? uid : undefined),
    },
    sorted: { item: ({ uid, sku_code, redeemCode }) => [lineItem(uid, sku_code), numberIn(redeemCode)] },
  },
  vouchers: { indexes: { uid: (voucher) => voucher.uid, redeemCode: (voucher) => voucher.redeemCode } },
  payments: { sorted: { history: (payment) => [payment.uid, happenedAt(payment)] } },
  sessions: { until: ({ expires }) => expires },
  portalEntries: { until: (end) => end + 30 * day },
  webhooks: {},
  webhookTries: {
    ordered: true,
    sorted: { webhook: ({ webhook_id, seq }) => [webhook_id, orderedKey(seq)] },
    until: ({ at }) => at + 30 * day,
  },
  parked: { ordered: true, indexes: { about: aboutWork } },
  accounts: { ordered: true },
  openChanges: { indexes: { uid: ({ uid }) => uid } },
  acceptedAt: { bounded: true },
  idempotency: { until: ({ at }) => at + day },
};
