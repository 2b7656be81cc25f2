/**
 * A line of an order as the platform keeps it: one redemption (G15, G16, S1 to S7; OP-21, OP-22, OP-24, OP-51, OP-86).
 *
 *     Pending --delivered--> Delivered, held --taken by the client--> Delivered
 *        |                          \-----voided: the client gave the points back--> Rejected
 *        \-----rejected by the vendor, or with its order--> Rejected
 */
import type { Answer } from './answer.ts';
import type { OrderStatus } from './order.ts';
import { redemptionTexts } from './redemption.ts';

/** How a line stands. `remark` says why it was rejected. */
export interface LineStanding {
  readonly status: OrderStatus;
  readonly remark: string;
  /** Nobody sees its vouchers: the client may have given the points back, until it has taken the delivery (OP-121). */
  readonly held?: boolean;
}

/** How a line begins. */
export const newLine: LineStanding = { status: 'Pending', remark: '' };

export interface VendorVoucher {
  readonly voucherCode: string;
  readonly pin: string | null;
  /** Id of the gift card, where the brand has one. */
  readonly gcid?: string;
}

/** What a vendor makes of a redemption. */
export type VendorAnswer =
  | { readonly kind: 'delivered'; readonly partnerCode: string; readonly vouchers: readonly VendorVoucher[] }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** This try came to nothing; another may. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Accepted, and never heard of again. */
  | { readonly kind: 'silent' };

/** How often a vendor is asked before the platform gives the line up, and how long it waits in between (OP-51). */
const vendorTries = 5;
const waitMilliseconds = 5_000;

/** Why a line is rejected whose vendor, or the platform, has no more of its item. */
export const outOfStock = 'Product out of stock';

/** What stands for the answer of a vendor who is not asked, since the item was removed meanwhile (OP-86). */
export const removed = { kind: 'rejected', reason: 'Product no longer in the catalogue' } as const;

export type LineEvent =
  | {
      readonly type: 'delivered';
      readonly partnerCode: string;
      readonly vouchers: readonly VendorVoucher[];
      /** What is left of the item. */
      readonly stock: number;
    }
  | { readonly type: 'rejected'; readonly remark: string }
  /** The client knows, and gives no points back any more. */
  | { readonly type: 'taken' }
  /** Its vouchers hold no longer. */
  | { readonly type: 'voided'; readonly remark: string };

/**
 * What becomes of the piece of work that asked: it is done, runs again after a while, or goes by the retry schedule.
 */
export type Next =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly milliseconds: number }
  | { readonly kind: 'retry'; readonly reason: string };

/**
 * What an answer leads to: an event, the work of reporting it to the client, and what becomes of the work that asked.
 */
export interface LineDecision {
  readonly event?: LineEvent;
  readonly report: boolean;
  readonly next: Next;
}

const done = { kind: 'done' } as const;
const nothing: LineDecision = { report: false, next: done };
const reported = (event: LineEvent): LineDecision => ({ event, report: true, next: done });
const reject = (remark: string): LineDecision => reported({ type: 'rejected', remark });

/**
 * Decides what a vendor's answer does to a line. `tries` counts those before it; `stock` is what the catalogue has of
 * the item, undefined where it was removed.
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
    case 'delivered': {
      if (stock === undefined) return reject(removed.reason);
      if (stock < line.quantity) return reject(outOfStock);
      const { partnerCode, vouchers } = answer;
      return reported({ type: 'delivered', partnerCode, vouchers, stock: stock - line.quantity });
    }
  }
}

/** Decides what the client's answer to the report of a line's end does to the line (OP-21, OP-22, OP-24). */
export function decideReport({ status, held }: Omit<LineStanding, 'remark'>, answer: Answer): LineDecision {
  if (answer.kind === 'accepted') return held === true ? { ...nothing, event: { type: 'taken' } } : nothing;
  if (answer.kind === 'no_answer') return { report: false, next: { kind: 'retry', reason: answer.reason } };
  const { message } = answer;
  // Nothing was deducted, so nothing has to be given back.
  if (status === 'Rejected' && message === redemptionTexts.unknown_redeem_code) return nothing;
  if (status === 'Delivered' && message === redemptionTexts.order_already_rejected) {
    return { ...nothing, event: { type: 'voided', remark: 'Reversed by the client before it took the delivery' } };
  }
  return { report: false, next: { kind: 'retry', reason: message } };
}

/** The line after an event. Throws for an event that cannot follow: the decisions never make one. */
export function evolveLine<L extends LineStanding>(line: L, event: LineEvent): L {
  const before = event.type === 'voided' || event.type === 'taken' ? 'Delivered' : 'Pending';
  if (line.status !== before) throw new Error(`a line that is ${line.status} cannot be ${event.type}`);
  if (event.type === 'delivered') return { ...line, status: 'Delivered', remark: '', held: true };
  if (event.type === 'taken') return { ...line, held: false };
  return { ...line, status: 'Rejected', remark: event.remark, ...(event.type === 'voided' && { held: false }) };
}
