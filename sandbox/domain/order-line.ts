/**
 * A line of an order as the platform stores it: one redemption (G15, G16, S1 to S7; OP-21, OP-22, OP-24, OP-51, OP-86,
 * OP-127).
 *
 *     Pending --delivered--> Delivered, held --acknowledged by the client--> Delivered
 *        |                          \-----voided: the client refunded the points--> Rejected
 *        \-----rejected by the vendor, with its order, or cancelled--> Rejected
 */
import type { Answer } from './failures.ts';
import { redemptionTexts } from './ledger.ts';
import type { OrderState, OrderStatus } from './order.ts';

/** The state of a line. `remark` is the reason for its rejection. */
export interface LineState {
  readonly status: OrderStatus;
  readonly remark: string;
  /**
   * Whether the vouchers are hidden until the client acknowledges the delivery. Before that, the client may have
   * refunded the points (OP-121).
   */
  readonly held?: boolean;
  /** Set if the line was rejected by a cancellation (OP-127). */
  readonly cancelled?: true;
}

/** The initial state of a line. */
export const newLine: LineState = { status: 'Pending', remark: '' };

export interface VendorVoucher {
  readonly voucherCode: string;
  readonly pin: string | null;
  /** The id of the gift card, if the brand uses one. */
  readonly gcid?: string;
}

/** The fields of a voucher besides its code: none, or a PIN and the id of a gift card. Default: a PIN. */
export type VoucherForm = 'code_only' | 'gift_card';

/** The platform's request to a vendor. */
export interface VendorRequest {
  readonly redeemCode: string;
  readonly sku_code: string;
  readonly product_type: 'EGV' | 'PHYSICAL';
  readonly quantity: number;
  readonly trace: string;
  readonly form?: VoucherForm;
}

/** The platform's request to cancel a redemption. */
export interface VendorCancellation extends Pick<VendorRequest, 'redeemCode' | 'sku_code' | 'trace'> {
  readonly remark: string;
}

/** A vendor's answer to a redemption. */
export type VendorAnswer =
  | { readonly kind: 'delivered'; readonly partnerCode: string; readonly vouchers: readonly VendorVoucher[] }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The attempt failed, but a retry may succeed. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The vendor accepts the call but never responds. */
  | { readonly kind: 'silent' }
  /** The vendor has already received a cancellation. */
  | { readonly kind: 'cancelled'; readonly remark: string };

/** Maximum number of vendor calls for a line before it is rejected (OP-51). */
const vendorTries = 5;
const waitMilliseconds = 5_000;

/** The remark of a line that is rejected because its item is out of stock. */
export const outOfStock = 'Product out of stock';

/** The answer for an item that was removed from the catalogue meanwhile. Its vendor is not called (OP-86). */
export const removedItem = { kind: 'rejected', reason: 'Product no longer in the catalogue' } as const;

export type LineEvent =
  | {
      readonly type: 'delivered';
      readonly partnerCode: string;
      readonly vouchers: readonly VendorVoucher[];
      /** The remaining stock of the item. */
      readonly stock: number;
    }
  | { readonly type: 'rejected' | 'cancelled'; readonly remark: string }
  /** The client has acknowledged the delivery and can no longer refund the points. */
  | { readonly type: 'acknowledged' }
  /** The vouchers are no longer valid. */
  | { readonly type: 'voided'; readonly remark: string };

/** The next step of the calling job: it is done, runs again after a delay, or follows the retry schedule. */
export type Next =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly milliseconds: number }
  | { readonly kind: 'retry'; readonly reason: string };

/** The consequences of an answer: an event, whether to report it to the client, and the next step of the calling job. */
export interface LineDecision {
  readonly event?: LineEvent;
  readonly report: boolean;
  readonly next: Next;
}

const done = { kind: 'done' } as const;
const nothing: LineDecision = { report: false, next: done };
const reported = (event: LineEvent): LineDecision => ({ event, report: true, next: done });
const reject = (remark: string): LineDecision => reported({ type: 'rejected', remark });
const cancelled = (remark: string): LineDecision => reported({ type: 'cancelled', remark });

/**
 * Decides the effect of a vendor's answer on a line. `tries` is the number of earlier attempts. `stock` is the item's
 * stock in the catalogue, or `undefined` if the item was removed.
 */
export function decideFulfilment(
  line: { readonly status: OrderStatus; readonly quantity: number },
  answer: VendorAnswer,
  { tries, stock }: { readonly tries: number; readonly stock: number | undefined },
): LineDecision {
  if (line.status !== 'Pending') return nothing;
  switch (answer.kind) {
    case 'silent':
      return nothing;
    case 'failed':
      if (tries + 1 >= vendorTries) return reject(answer.reason);
      return { report: false, next: { kind: 'again', milliseconds: waitMilliseconds } };
    case 'rejected':
      return reject(answer.reason);
    case 'cancelled':
      return cancelled(answer.remark);
    case 'delivered': {
      if (stock === undefined) return reject(removedItem.reason);
      if (stock < line.quantity) return reject(outOfStock);
      const { partnerCode, vouchers } = answer;
      return reported({ type: 'delivered', partnerCode, vouchers, stock: stock - line.quantity });
    }
  }
}

/** The origin and the reason of a cancellation, for the line's remark. */
export interface Cancellation {
  readonly by: 'customer' | 'company';
  /** Empty if there is none. */
  readonly reason: string;
}

/** The reason that a line can no longer be cancelled, or cannot be cancelled yet (OP-129). */
export type TooLate = 'placing' | 'delivered' | 'rejected' | 'confirmed';

/** The message text for each reason. */
export const tooLateTexts = {
  placing: 'belongs to an order that is not placed yet',
  delivered: 'is already Delivered',
  rejected: 'is already Rejected',
  confirmed: 'has already been confirmed by its vendor',
} as const satisfies Record<TooLate, string>;

/** Returns the remark of a cancelled line. */
export function cancellationRemark({ by, reason }: Cancellation): string {
  return `Cancelled by the ${by}${reason === '' ? '' : `: ${reason}`}`;
}

/** Returns whether the platform's data allows cancelling a line; `done` if it is already cancelled (OP-127, OP-129). */
export function cancellable(line: LineState, order: OrderState): 'ask_vendor' | 'done' | TooLate {
  if (line.cancelled) return 'done';
  if (line.status === 'Delivered') return 'delivered';
  if (line.status === 'Rejected') return 'rejected';
  return order === 'placed' ? 'ask_vendor' : 'placing';
}

/** Decides the effect of a cancellation that the vendor accepted. It has none if the line has ended meanwhile. */
export function decideCancellation(line: LineState, remark: string): LineDecision {
  return line.status === 'Pending' ? cancelled(remark) : nothing;
}

/** Decides the effect of the client's response to the report of a line's final status (OP-21, OP-22, OP-24). */
export function decideReport({ status, held }: Omit<LineState, 'remark'>, answer: Answer): LineDecision {
  if (answer.kind === 'accepted') return held === true ? { ...nothing, event: { type: 'acknowledged' } } : nothing;
  if (answer.kind === 'no_answer') return { report: false, next: { kind: 'retry', reason: answer.reason } };
  const { message } = answer;
  // Nothing was deducted, so there is nothing to refund.
  if (status === 'Rejected' && message === redemptionTexts.unknown_redeem_code) return nothing;
  if (status === 'Delivered' && message === redemptionTexts.order_already_rejected) {
    return { ...nothing, event: { type: 'voided', remark: 'Reversed by the client before the delivery was reported' } };
  }
  return { report: false, next: { kind: 'retry', reason: message } };
}

/** Returns the line after an event. Throws for an impossible transition, which the decisions never produce. */
export function evolveLine<L extends LineState>(line: L, event: LineEvent): L {
  const before = event.type === 'voided' || event.type === 'acknowledged' ? 'Delivered' : 'Pending';
  if (line.status !== before) throw new Error(`a line that is ${line.status} cannot be ${event.type}`);
  if (event.type === 'delivered') return { ...line, status: 'Delivered', remark: '', held: true };
  if (event.type === 'acknowledged') return { ...line, held: false };
  const { remark } = event;
  const rejected = { ...line, status: 'Rejected', remark } as const;
  if (event.type === 'cancelled') return { ...rejected, cancelled: true };
  return event.type === 'voided' ? { ...rejected, held: false } : rejected;
}

/** The validity of issued vouchers (R22, OP-47, OP-161). */

/** Returns whether a voucher has expired. Its validity ends at the start of the second in its end date. */
export function isExpired(end: number, now: number): boolean {
  return Math.floor(now / 1000) >= Math.floor(end / 1000);
}
