/**
 * An order as the platform stores it (G13, G14; OP-05, OP-06, OP-07, OP-23, OP-50).
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
 * Returns the status of an order: Pending if any line is, Rejected if all lines are, and Delivered otherwise. In the
 * last case, rejected lines show their own status.
 */
export function orderStatus(lines: readonly OrderStatus[]): OrderStatus {
  if (lines.includes('Pending')) return 'Pending';
  return lines.every((status) => status === 'Rejected') ? 'Rejected' : 'Delivered';
}

/** Returns the total cost of the lines of an order, in points. The first three fields add up to the last (OP-124). */
export function orderPoints(lines: readonly Omit<LinePoints, 'tdsSingleItem'>[]) {
  const sums = { redeemPoints: 0, tdsPoints: 0, processingFee: 0, totalPointWithProcessingFee: 0 };
  for (const line of lines) {
    sums.redeemPoints += line.redeemPoints;
    sums.tdsPoints += tdsPoints(line);
    sums.processingFee += line.processingFee;
    sums.totalPointWithProcessingFee += line.totalPointWithProcessingFee;
  }
  return sums;
}

/** The reason that an order is not placed, as reported to its caller. */
export type OrderFailure =
  | FailureOf<'invalid_request' | 'insufficient_balance' | 'product_not_available'>
  | FailureOf<'refused_by_client' | 'client_no_answer'>;

/** The platform's failures of one or more kinds. */
type FailureOf<Kind extends PlatformFailure['kind']> = Extract<PlatformFailure, { kind: Kind }>;

/** The fields of a catalogue item that determine whether it can be ordered. */
interface Orderable {
  readonly status: 0 | 1 | 2;
  readonly stock: number;
  readonly product_type: 'EGV' | 'PHYSICAL';
}

/**
 * Returns the items of the lines, or the reason that the order is impossible: an unavailable item, or a missing
 * shipping address (OP-05).
 */
export function itemsOf<I extends Orderable>(
  lines: readonly Readonly<{ sku: string; quantity: number; item: I | undefined }>[],
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

/** Returns a failure if the points are insufficient; otherwise `undefined`. */
export function shortOf(needed: number, available: number): OrderFailure | undefined {
  return needed > available ? { kind: 'insufficient_balance', needed, available } : undefined;
}

export type OrderCommand =
  /** The client received requests to deduct the lines. */
  | ({ readonly type: 'answered' } & Pick<Deductions, 'answer' | 'touched'>)
  /** The order call was interrupted before its reply. */
  | { readonly type: 'cut_off' };

/** The result of an order, with the redeem codes of the lines to fulfil or to report as Rejected. */
export type OrderEvent =
  | { readonly type: 'placed'; readonly fulfil: readonly string[] }
  | { readonly type: 'failed'; readonly remark: string; readonly report: readonly string[] };

interface OrderStanding {
  readonly state: OrderState;
  readonly redeemCodes: readonly string[];
}

/** Decides the effect of a command on an order. It has none unless the order is being placed. */
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

/** Returns the order after an event. Throws for an impossible transition, which `decide` never produces. */
export function evolve<O extends OrderStanding>(order: O, event: OrderEvent): O {
  if (order.state !== 'placing') throw new Error(`no order that is being placed, but one that is ${order.state}`);
  return { ...order, state: event.type };
}

/**
 * Returns the reason that an order failed, as reported to its caller. `balance` is the remaining balance that the
 * client reports, or `undefined` if it reports none. A refusal due to missing points is reported as insufficient
 * balance.
 */
export function failureOf(answer: NotAccepted, deducted: number, needed: number, balance?: number): OrderFailure {
  const reported = answer.kind === 'refused' ? balance : undefined;
  const short = reported === undefined ? undefined : shortOf(needed, reported + deducted);
  return short ?? clientSaysNo(answer);
}

/** Maximum number of attempts for a deduction within one order call (OP-24). */
const mostTries = 3;

/**
 * The client's deductions for an order so far (G13, B7; OP-07, OP-23, OP-24). The platform requests them line by line,
 * up to the first line that the client does not accept.
 */
export interface Deductions {
  /** The client's answer to the last requested line. */
  readonly answer: Answer;
  /** The redeem codes of the lines that the client has deducted or may have deducted. */
  readonly touched: readonly string[];
  /** The points that the client has certainly deducted. */
  readonly deducted: number;
}

/** The state before the first request to the client. */
export const noDeductions: Deductions = { answer: { kind: 'accepted', body: undefined }, touched: [], deducted: 0 };

/** Returns whether to retry a deduction with the same code after this number of attempts (OP-23). */
export function asksAgain(answer: Answer, tries: number): boolean {
  return answer.kind === 'no_answer' && answer.ours === undefined && tries < mostTries;
}

/** Returns the deductions after the client's answer for another line. `tries` is the number of attempts, including the last. */
export function recordDeduction(
  before: Deductions,
  line: { readonly redeemCode: string; readonly points: number },
  answer: Answer,
  tries: number,
): Deductions {
  // An earlier attempt without an answer may still reach the client, so such a line is also reported.
  const isUntouched = answer.kind === 'refused' || (answer.kind === 'no_answer' && answer.ours === 'not_sent');
  const maybe = !isUntouched || tries > 1;
  return {
    answer,
    touched: maybe ? [...before.touched, line.redeemCode] : before.touched,
    deducted: before.deducted + (answer.kind === 'accepted' ? line.points : 0),
  };
}

/** The text for a client without a usable response, in the error of an order and in the remark of its lines. */
export const noUsableAnswer = 'No usable response from the client';

/** Returns the text for a refusal by the client, in the error of an order and in the remark of its lines. */
export function refusedByClient(message: string): string {
  return `Refused by the client: ${message}`;
}

/** Returns the error for a caller if the client did not accept the order or another call. */
export function clientSaysNo(answer: Extract<NotAccepted, { kind: 'no_answer' }>): FailureOf<'client_no_answer'>;
export function clientSaysNo(answer: NotAccepted): FailureOf<'refused_by_client' | 'client_no_answer'>;
export function clientSaysNo(answer: NotAccepted): FailureOf<'refused_by_client' | 'client_no_answer'> {
  if (answer.kind === 'refused') return { kind: 'refused_by_client', message: answer.message };
  const { reason, ours } = answer;
  return { kind: 'client_no_answer', reason, ...(ours !== undefined && { ours }) };
}

/** The remark of the lines of an order whose call ended before it was placed. */
const cutOff = 'The order was interrupted before it was placed';

/** Returns the remark of the lines of a failed order. */
function remarkOf(answer: NotAccepted): string {
  if (answer.kind === 'refused') return refusedByClient(answer.message);
  return answer.ours === undefined ? noUsableAnswer : cutOff;
}

/** Returns the name, in messages, of an order that a caller identifies by its id, by a redemption, or by both. */
export function orderName(order_id: string | undefined, redeemCode: string | undefined): string {
  if (order_id === undefined) return `Redemption ${redeemCode}`;
  return redeemCode === undefined ? `Order ${order_id}` : `Order ${order_id} with redemption ${redeemCode}`;
}
