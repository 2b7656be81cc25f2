import {
  type Cancellation,
  cancellable,
  cancellationRemark,
  decideCancellation,
  type TooLate,
} from '../domain/order-line.ts';
import type { Tx } from '../store/store.ts';
import type { Order, PlatformCollections } from './collections.ts';
import { lineOf } from './orders.ts';
import type { Platform } from './platform.ts';
import { bookDecision } from './workers/line.ts';

/** The result of a cancellation: the cancelled lines, and the refused lines with their reasons. */
export interface Cancelled {
  readonly order_id: string;
  readonly cancelled: readonly string[];
  readonly refused: readonly { readonly redeemCode: string; readonly why: TooLate }[];
}

/**
 * Cancels each of the given lines independently, if possible (OP-127 to OP-129). Returns `undefined` if a reset or
 * restore has removed the order (OP-64).
 */
export async function cancelLines(
  platform: Platform,
  order: Order,
  redeemCodes: readonly string[],
  cancellation: Cancellation,
  trace: string,
): Promise<Cancelled | undefined> {
  const cancelled: string[] = [];
  const refused: { redeemCode: string; why: TooLate }[] = [];
  for (const redeemCode of redeemCodes) {
    if (!isThere(platform.store, order)) return undefined;
    const end = await cancelLine(platform, order, redeemCode, cancellationRemark(cancellation), trace);
    if (end === undefined) return undefined;
    if (end === 'done') cancelled.push(redeemCode);
    else refused.push({ redeemCode, why: end });
  }
  return { order_id: order.order_id, cancelled, refused };
}

/** Cancels at the vendor first. The vendor cannot cancel a fulfilled line and never fulfils a cancelled one. */
async function cancelLine(
  platform: Platform,
  { order_id, trace: placedBy }: Order,
  redeemCode: string,
  remark: string,
  trace: string,
): Promise<'done' | TooLate | undefined> {
  const { store, vendors } = platform;
  const stateOf = (reader: Pick<Tx<PlatformCollections>, 'get'>) =>
    cancellable(lineOf(reader, redeemCode), reader.get('orders', order_id)?.state ?? 'failed');
  const can = stateOf(store);
  if (can !== 'ask_vendor') return can;
  const { sku_code } = lineOf(store, redeemCode);
  if (!(await vendors.cancel({ redeemCode, sku_code, remark, trace }))) return 'confirmed';
  return store.transact((tx) => {
    if (!isThere(tx, { order_id, trace: placedBy })) return undefined;
    const line = lineOf(tx, redeemCode);
    dropFulfilment(tx, redeemCode);
    bookDecision(platform, tx, line, decideCancellation(line, remark), trace);
    const after = stateOf(tx);
    if (after === 'ask_vendor') throw new Error(`${redeemCode} was cancelled and is Pending`);
    return after;
  });
}

/** Removes the scheduled vendor call for a line. */
export function dropFulfilment(tx: Tx<PlatformCollections>, redeemCode: string): void {
  for (const { id } of tx.find('due', 'about', `fulfilLine ${redeemCode}`)) tx.remove('due', id);
}

/** Returns whether the order is still the same. After a reset, a different order can have the same id. */
function isThere(
  reader: Pick<Tx<PlatformCollections>, 'get'>,
  { order_id, trace }: Pick<Order, 'order_id' | 'trace'>,
): boolean {
  return reader.get('orders', order_id)?.trace === trace;
}
