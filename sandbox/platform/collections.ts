import type { Accepted } from '../activity-log/call-log.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { KeptReply } from '../contract/types.ts';
import type { Account, BalanceChange } from '../domain/balance.ts';
import type { OrderState, OrderStatus } from '../domain/order.ts';
import type { LineState } from '../domain/order-line.ts';
import type { LinePoints } from '../domain/points.ts';
import { aboutWork, type DueCollections } from '../jobs/work.ts';
import { digits, numberIn, orderedKey, type RandomCollections } from '../runtime/ids.ts';
import type { StoreSchema } from '../store/store.ts';

/** What the vouchers of an item have besides a code: nothing, or PIN and gift card id. The default is a PIN. */
export type VoucherForm = 'code_only' | 'gift_card';

export type VendorName = 'egift' | 'merchandise' | 'services';

/** The version of the API that an order was placed through; its client is called in the same version (OP-29). */
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
 * An order. While `placing`, the client deducts line by line. `placed` orders are final; `failed` ones are
 * stored only so that their lines can be reported.
 */
export interface Order {
  readonly order_id: string;
  readonly uid: string;
  /** The version of the API that it was placed through; the field is called so in data folders. */
  readonly door: ApiVersion;
  readonly reference_id: string | null;
  readonly state: OrderState;
  readonly redeemCodes: readonly string[];
  /** Milliseconds on the sandbox clock, like every time of these collections. */
  readonly created: number;
  readonly updated: number;
  readonly trace: string;
  /** The number of the state change that it was placed with; 0 while it does not stand. */
  readonly seq: number;
  /** The status of its lines, stored for the indexes; left out while it is placed. */
  readonly status?: OrderStatus;
}

/** A line of an order: one redemption. */
export interface Line extends LineState {
  readonly redeemCode: string;
  readonly order_id: string;
  readonly uid: string;
  readonly sku_code: string;
  readonly product_type: 'EGV' | 'PHYSICAL';
  readonly product_name: string;
  readonly priceInr: number;
  readonly quantity: number;
  readonly points: LinePoints;
  /** Where a product goes; left out for a voucher, and if the order did not say. */
  readonly shipping_address?: string;
}

export interface VoucherRecord {
  readonly voucherCode: string;
  readonly redeemCode: string;
  readonly uid: string;
  readonly partnerCode: string;
  readonly productCode: string;
  readonly productName: string;
  readonly denomination: number;
  readonly pin: string | null;
  readonly gcid?: string;
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
  /** The number of the state change that it was accepted with; left out if seeded. */
  readonly seq?: number;
}

/** A customer's session: the JWT that the client gave the customer, for calls in the customer's name (OP-17). */
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

/** One try of a delivery to a webhook. `delivery` is the id of its due work. */
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

/** A call that was given up on after the last retry (OP-24). */
export interface Parked {
  readonly kind: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly trace: string;
  readonly at: number;
  readonly tries: number;
  readonly reason: string;
}

/** The recorded balance of a customer at a partner's own server `url`, read in `version` of the API (OP-110). */
export interface BalanceAccount extends Account {
  readonly uid: string;
  readonly url: string;
  readonly version: ApiVersion;
}

/** A change of a balance without a response from the partner's own server. */
interface OpenChange extends BalanceChange {
  readonly uid: string;
  readonly url: string;
}

/** The platform's collections. */
export interface PlatformCollections extends ActivityCollections, DueCollections, RandomCollections {
  readonly items: Item;
  /** By code: items that can be ordered and are in no listing. */
  readonly unlisted: Item;
  readonly orders: Order;
  readonly lines: Line;
  readonly vouchers: VoucherRecord;
  readonly payments: Payment;
  readonly sessions: Session;
  /**
   * Tokens that opened the portal, by digest, with the instant at which they end, or were used: none opens it twice
   * (OP-34).
   */
  readonly portalEntries: number;
  readonly webhooks: Webhook;
  readonly webhookTries: WebhookTry;
  readonly parked: Parked;
  readonly accounts: BalanceAccount;
  readonly openChanges: OpenChange;
  /** The sliding hour of OP-30, by instant, as it came with a snapshot or is shared by several instances. */
  readonly acceptedAt: Accepted;
  readonly idempotency: KeptReply;
}

const day = 24 * 3600 * 1000;

/** The group of a customer's orders of one status. */
export function customerStatus(uid: string, status: OrderStatus): string {
  return `${status} ${uid}`;
}

/** The group of a customer's lines of one item. */
export function lineItem(uid: string, sku: string): string {
  return `${uid} ${sku}`;
}

/** A reference that no other order may use: an order that was not placed does not block it (OP-133). */
function referenceOf({ reference_id, state }: Order): string | undefined {
  return state === 'failed' ? undefined : (reference_id ?? undefined);
}

type IndexPlace = readonly [group: string, place: string];

/** The index key of a placed order, in the order in which orders were placed. */
function placed({ seq }: Order, group: string): IndexPlace | undefined {
  return seq === 0 ? undefined : [group, orderedKey(seq)];
}

/** The place of an order or a payment in its customer's history: by time, and at one instant by the log. */
export function happenedAt(happened: Pick<Order, 'created' | 'seq'> | Pick<Payment, 'at' | 'seq'>): string {
  const at = 'created' in happened ? happened.created : happened.at;
  return `${digits(Math.max(0, Math.floor(at)), 16)}-${orderedKey(happened.seq ?? 0)}`;
}

/** Kept replies count for the day that was promised (OP-20), and a used token until long after its end (OP-57). */
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
