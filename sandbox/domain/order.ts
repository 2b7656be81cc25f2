/**
 * The order as the platform keeps it (G13, G14; OP-05, OP-06, OP-07, OP-23, OP-50).
 *
 *     (none) --requested--> placing --all lines deducted--> placed
 *                              \-----a line not deducted, cut off--> failed: stored so that its lines can be reported
 *
 * After that, its status follows its lines (`order-line.ts`).
 */

import type { Answer, NotAccepted, PlatformFailure } from './failures.ts';
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
interface OrderPoints {
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
interface AskedLine<I extends Orderable> {
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

/** Why the points do not reach, undefined if they do. */
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
 * Why an order failed, for its caller. `balance` is what the client says is left, undefined if it does not say: a
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

/** How often a deduction is tried within one order call (OP-24). */
const mostTries = 3;

/**
 * What the client deducted for an order so far (G13, B7; OP-07, OP-23, OP-24): it is asked line by line, up to the first line
 * that it does not accept.
 */
export interface Deductions {
  /** The client's answer to the last requested line. */
  readonly answer: Answer;
  /** The codes of lines that the client has deducted, or may have. */
  readonly touched: readonly string[];
  /** Points that it has deducted for sure. */
  readonly deducted: number;
}

/** Before the first request to the client. */
export const noDeductions: Deductions = { answer: { kind: 'accepted', body: undefined }, touched: [], deducted: 0 };

/** Whether to retry a deduction with the same code after this many attempts (OP-23). */
export function asksAgain(answer: Answer, tries: number): boolean {
  return answer.kind === 'no_answer' && answer.ours === undefined && tries < mostTries;
}

/** How far the client went along once it answered for one more line, at the last of `tries`. */
export function recordDeduction(
  before: Deductions,
  line: { readonly redeemCode: string; readonly points: number },
  answer: Answer,
  tries: number,
): Deductions {
  // An earlier try without an answer may still arrive: such a line is reported too.
  const isUntouched = answer.kind === 'refused' || (answer.kind === 'no_answer' && answer.ours === 'not_sent');
  const maybe = !isUntouched || tries > 1;
  return {
    answer,
    touched: maybe ? [...before.touched, line.redeemCode] : before.touched,
    deducted: before.deducted + (answer.kind === 'accepted' ? line.points : 0),
  };
}

/** The name of a client that gives no usable response, for the caller of an order and the remark of its lines. */
export const noUsableAnswer = 'No usable response from the client';

/** What a refusal of the client's is called, to the caller of an order and in the remark of its lines. */
export function refusedByClient(message: string): string {
  return `Refused by the client: ${message}`;
}

type Refused = Extract<PlatformFailure, { kind: 'refused_by_client' }>;
type Unanswered = Extract<PlatformFailure, { kind: 'client_no_answer' }>;

/** The error that a caller gets when the client did not accept the order, or another call. */
export function clientSaysNo(answer: Extract<NotAccepted, { kind: 'no_answer' }>): Unanswered;
export function clientSaysNo(answer: NotAccepted): Refused | Unanswered;
export function clientSaysNo(answer: NotAccepted): Refused | Unanswered {
  if (answer.kind === 'refused') return { kind: 'refused_by_client', message: answer.message };
  const { reason, ours } = answer;
  return { kind: 'client_no_answer', reason, ...(ours !== undefined && { ours }) };
}

/** What an order is called whose call ended before it was placed, in the remark of its lines. */
const cutOff = 'The order was interrupted before it was placed';

/** Why the lines of a failed order were rejected, for their remark. */
export function remarkOf(answer: NotAccepted): string {
  if (answer.kind === 'refused') return refusedByClient(answer.message);
  return answer.ours === undefined ? noUsableAnswer : cutOff;
}

/** What a message calls an order that a caller names by its id, by a redemption, or by both. */
export function orderName(order_id: string | undefined, redeemCode: string | undefined): string {
  if (order_id === undefined) return `Redemption ${redeemCode}`;
  return redeemCode === undefined ? `Order ${order_id}` : `Order ${order_id} with redemption ${redeemCode}`;
}
