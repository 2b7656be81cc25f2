/**
 * The order as the platform keeps it (G13, G14; OP-05, OP-06, OP-07, OP-23, OP-50).
 *
 *     (none) --requested--> placing --all lines deducted--> placed
 *                              \-----a line not deducted, cut off--> failed: stored so that its lines can be reported
 *
 * After that, its status follows its lines (`order-line.ts`).
 */

import { clientSaysNo, cutOff, type Deductions, remarkOf } from './deduction.ts';
import type { NotAccepted, PlatformFailure } from './failures.ts';
import { type LinePoints, tdsPoints } from './points.ts';

export type OrderState = 'placing' | 'placed' | 'failed';

export type OrderStatus = 'Pending' | 'Delivered' | 'Rejected';

/**
 * Delivered when all lines are, Rejected when all are, Pending while any is, else Delivered, and the rejected lines say so.
 */
export function orderStatus(lines: readonly OrderStatus[]): OrderStatus {
  if (lines.includes('Pending')) return 'Pending';
  return lines.every((status) => status === 'Rejected') ? 'Rejected' : 'Delivered';
}

/** What an order, or a line of it, costs. The first three add up to the last (OP-124). */
export interface OrderPoints {
  readonly redeemPoints: number;
  readonly tdsPoints: number;
  readonly processingFee: number;
  readonly totalPointWithProcessingFee: number;
}

/** The sum over the lines of an order. */
export function orderPoints(lines: readonly Omit<LinePoints, 'tdsSingleItem'>[]): OrderPoints {
  const sums = { redeemPoints: 0, tdsPoints: 0, processingFee: 0, totalPointWithProcessingFee: 0 };
  for (const line of lines) {
    sums.redeemPoints += line.redeemPoints;
    sums.tdsPoints += tdsPoints(line);
    sums.processingFee += line.processingFee;
    sums.totalPointWithProcessingFee += line.totalPointWithProcessingFee;
  }
  return sums;
}

/** Why an order is not placed, for its caller. */
export type OrderFailure = Extract<
  PlatformFailure,
  {
    kind:
      | 'invalid_request'
      | 'insufficient_balance'
      | 'product_not_available'
      | 'refused_by_client'
      | 'client_no_answer';
  }
>;

/** The part of a catalogue's item that decides whether it can be ordered. */
export interface Orderable {
  readonly status: 0 | 1 | 2;
  readonly stock: number;
  readonly product_type: 'EGV' | 'PHYSICAL';
}

/** A requested line, with its item if the catalogue has one. */
export interface AskedLine<I extends Orderable> {
  readonly sku: string;
  readonly quantity: number;
  readonly item: I | undefined;
}

/**
 * The items of the lines, or why the order cannot be: an item that is not to be had, or no address to ship to (OP-05).
 */
export function itemsOf<I extends Orderable>(
  lines: readonly AskedLine<I>[],
  address: string | undefined,
): I[] | OrderFailure {
  const wanted = new Map<string, number>();
  for (const { sku, quantity } of lines) wanted.set(sku, (wanted.get(sku) ?? 0) + quantity);
  const items: I[] = [];
  for (const { sku, item } of lines) {
    if (item === undefined || item.status !== 1 || item.stock < (wanted.get(sku) ?? 0)) {
      return { kind: 'product_not_available', sku };
    }
    items.push(item);
  }
  if (address === undefined && items.some((item) => item.product_type === 'PHYSICAL')) {
    return { kind: 'invalid_request', where: '/shipping_address', problem: 'is required for a PHYSICAL item' };
  }
  return items;
}

/** Why the points do not reach, undefined where they do. */
export function shortOf(needed: number, available: number): OrderFailure | undefined {
  return needed > available ? { kind: 'insufficient_balance', needed, available } : undefined;
}

export type OrderCommand =
  /** The client got requests for the lines. */
  | ({ readonly type: 'answered' } & Pick<Deductions, 'answer' | 'touched'>)
  /** The order call was cut off before its reply. */
  | { readonly type: 'cut_off' };

/** The result of an order, with the codes of the lines to fulfil, or to report as Rejected. */
export type OrderEvent =
  | { readonly type: 'placed'; readonly fulfil: readonly string[] }
  | { readonly type: 'failed'; readonly remark: string; readonly report: readonly string[] };

interface OrderStanding {
  readonly state: OrderState;
  readonly redeemCodes: readonly string[];
}

/** Decides what `command` does to an order: nothing unless it is being placed. */
export function decide({ state, redeemCodes }: OrderStanding, command: OrderCommand): OrderEvent | undefined {
  if (state !== 'placing') return undefined;
  if (command.type === 'cut_off') {
    // Every line may have been deducted.
    return { type: 'failed', remark: cutOff, report: redeemCodes };
  }
  const { answer, touched } = command;
  if (answer.kind === 'accepted') return { type: 'placed', fulfil: redeemCodes };
  return { type: 'failed', remark: remarkOf(answer), report: touched };
}

/** The order after an event. Throws for an event that cannot follow: `decide` never makes one. */
export function evolve<O extends OrderStanding>(order: O, event: OrderEvent): O {
  if (order.state !== 'placing') throw new Error(`no order that is being placed, but one that is ${order.state}`);
  return { ...order, state: event.type };
}

/**
 * Why an order failed, for its caller. `balance` is what the client says is left, undefined where it does not say: a
 * refusal because the points are gone is insufficient balance to the caller too.
 */
export function failureOf(
  answer: NotAccepted,
  deducted: number,
  needed: number,
  balance: number | undefined,
): OrderFailure {
  const reported = answer.kind === 'refused' ? balance : undefined;
  const short = reported === undefined ? undefined : shortOf(needed, reported + deducted);
  return short ?? clientSaysNo(answer);
}
