import type { components } from '../../generated/rewards/types.ts';
import type { KeepingTx } from '../contract/types.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import { orderPoints } from '../domain/order.ts';
import { linePoints } from '../domain/points.ts';
import { nextSeq } from '../runtime/activity.ts';
import { finish, schedule } from '../runtime/due.ts';
import type { Tx } from '../store/store.ts';
import type { Item, Line, Order, PlatformBooks } from './books.ts';
import { itemOf } from './catalogue.ts';
import { clientSaysNo, deductAll, remarkOf, type Taken } from './deduct.ts';
import { type Asker, type Contact, type Dialect, type Door, dialectOf } from './dialects.ts';
import { orderResource } from './order-resource.ts';
import { type Draft, type Placing, writePlacing } from './placing.ts';
import type { Platform } from './platform.ts';

type Placed = { readonly status: 200; readonly body: components['schemas']['Order'] };
type NotPlaced = Extract<
  PlatformFailure,
  {
    kind:
      | 'invalid_request'
      | 'insufficient_balance'
      | 'product_not_available'
      | 'refused_by_client'
      | 'client_no_answer'
      | 'unavailable';
  }
>;

/** An order as any API brings it. `jwt` is the customer's, undefined where none is present (OP-17). */
export interface OrderRequest extends Asker, Contact {
  /** In which version's words the client is spoken to about this order, now and later. */
  readonly door: Door;
  readonly line_items: readonly { readonly sku: string; readonly quantity: number }[];
  readonly reference_id?: string;
  readonly keep: <R extends Placed | NotPlaced>(tx: KeepingTx, answer: R) => R;
}

/**
 * Places an order: checks products and balance, writes the order with its redeem codes, has the client deduct line by line,
 * and lets the order stand only when every line was accepted (interface, rule 5; OP-05, OP-07, OP-23).
 */
export async function placeOrder(platform: Platform, request: OrderRequest): Promise<Placed | NotPlaced> {
  const items = availableItems(platform, request);
  if ('kind' in items) return items;
  const dialect = dialectOf(platform, request.door);
  const standing = await dialect.standing(request, contactOf(request));
  if (standing.kind !== 'accepted') return clientSaysNo(standing);
  const { balance, contact } = standing.body;
  const lines = draftLines(platform, request, items);
  const needed = orderPoints(lines.map((line) => line.points)).totalPointWithProcessingFee;
  if (needed > balance) return { kind: 'insufficient_balance', needed, available: balance };

  const placing = await writePlacing(platform, request, lines);
  try {
    const taken = await deductAll(dialect, request, placing.lines, contact);
    if (taken.answer.kind === 'accepted') return await stand(platform, request, placing);
    const failure = await explain(dialect, request, taken, needed);
    return await platform.store.transact((tx) => {
      if (!isPlacing(tx, placing)) return { kind: 'unavailable' };
      finish(tx, { id: placing.guard });
      fail(platform, tx, placing.order, taken.touched, remarkOf(taken.answer));
      return request.keep(tx, failure);
    });
  } finally {
    placing.release();
  }
}

/** The contact that an order gives; what it leaves out is left out here. */
function contactOf({ shipping_address, email, mobile_no }: Contact): Contact {
  return {
    ...(shipping_address !== undefined && { shipping_address }),
    ...(email !== undefined && { email }),
    ...(mobile_no !== undefined && { mobile_no }),
  };
}

/** The items of the lines, or why the order cannot be: an item that is not to be had, or no address to ship to. */
function availableItems(platform: Platform, request: OrderRequest): Item[] | NotPlaced {
  const wanted = new Map<string, number>();
  for (const { sku, quantity } of request.line_items) wanted.set(sku, (wanted.get(sku) ?? 0) + quantity);
  const items: Item[] = [];
  for (const { sku } of request.line_items) {
    const item = itemOf(platform.store, sku);
    if (item === undefined || item.status !== 1 || item.stock < (wanted.get(sku) ?? 0)) {
      return { kind: 'product_not_available', sku };
    }
    items.push(item);
  }
  if (request.shipping_address === undefined && items.some((item) => item.product_type === 'PHYSICAL')) {
    return { kind: 'invalid_request', where: '/shipping_address', problem: 'is required for a PHYSICAL item' };
  }
  return items;
}

function draftLines(platform: Platform, request: OrderRequest, items: readonly Item[]): Draft[] {
  return request.line_items.map(({ quantity }, index) => {
    const item = items[index] as Item;
    const { sku_code, product_type, skus: product_name, priceInr } = item;
    const points = linePoints({ product_type, priceInr, quantity }, platform.settings());
    const { uid } = request;
    return { uid, sku_code, product_type, product_name, priceInr, quantity, points, status: 'Pending', remark: '' };
  });
}

/** Whether the order is still there: a reset or a restore may have dropped it while the client was asked (OP-64). */
function isPlacing(tx: Tx<PlatformBooks>, { order }: Placing): boolean {
  const found = tx.get('orders', order.order_id);
  // Another one can have the same id then.
  return found?.state === 'placing' && found.trace === order.trace;
}

/** Lets the order stand, with the work of fulfilling each line, and keeps the reply for repeats. */
function stand(platform: Platform, request: OrderRequest, placing: Placing): Promise<Placed | NotPlaced> {
  const now = platform.clock.now();
  const { order, lines, guard } = placing;
  return platform.store.transact((tx) => {
    if (!isPlacing(tx, placing)) return { kind: 'unavailable' };
    const placed: Order = { ...order, state: 'placed', updated: now, seq: nextSeq(tx) };
    tx.put('orders', order.order_id, placed);
    finish(tx, { id: guard });
    for (const { redeemCode, sku_code } of lines) {
      const at = now + platform.vendors.delay(sku_code);
      schedule(tx, { kind: 'fulfilLine', at, trace: order.trace, payload: { redeemCode } });
    }
    const { uid, trace, order_id, redeemCodes } = order;
    platform.activity.note(tx, {
      trace,
      party: 'platform',
      event: 'order.placed',
      uid,
      redeem_codes: redeemCodes,
      detail: { order_id },
    });
    return request.keep(tx, { status: 200, body: orderResource(tx, placed) });
  });
}

/**
 * Gives an order up: it does not stand, and `reported` lines are reported Rejected, so that the client gives back what it
 * deducted for them (OP-07, OP-23).
 */
export function fail(
  platform: Platform,
  tx: Tx<PlatformBooks>,
  order: Order,
  reported: readonly Line[],
  remark: string,
): void {
  const now = platform.clock.now();
  tx.put('orders', order.order_id, { ...order, state: 'failed', updated: now });
  for (const redeemCode of order.redeemCodes) {
    const line = tx.get('lines', redeemCode);
    if (line !== undefined) tx.put('lines', redeemCode, { ...line, status: 'Rejected', remark });
  }
  for (const { redeemCode } of reported) {
    schedule(tx, { kind: 'reportStatus', at: now, trace: order.trace, payload: { redeemCode } });
  }
  const { uid, trace, order_id, redeemCodes } = order;
  platform.activity.note(tx, {
    trace,
    party: 'platform',
    event: 'order.failed',
    uid,
    redeem_codes: redeemCodes,
    detail: { order_id, remark },
  });
}

/** Why the order failed, for its caller. A refusal because the points are gone is insufficient balance to the caller too. */
async function explain(dialect: Dialect, asker: Asker, taken: Taken, needed: number): Promise<NotPlaced> {
  if (taken.answer.kind !== 'refused') return { kind: 'client_no_answer' };
  const refusal = clientSaysNo(taken.answer);
  const standing = await dialect.standing(asker, {});
  if (standing.kind !== 'accepted') return refusal;
  const available = standing.body.balance + taken.deducted;
  return available < needed ? { kind: 'insufficient_balance', needed, available } : refusal;
}
