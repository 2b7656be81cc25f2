import type { Answer } from '../../domain/failures.ts';
import {
  type Cancellation,
  cancellable,
  cancellationRemark,
  decideCancellation,
  decideFulfilment,
  decideReport,
  evolveLine,
  type LineDecision,
  type LineEvent,
  removedItem,
  type TooLate,
  type VendorAnswer,
} from '../../domain/order-line.ts';
import { schedule, type Work } from '../../jobs/work.ts';
import { confirmChange, expectChange, lineChange, recordReversal } from '../balances.ts';
import { itemOf } from '../catalogue.ts';
import { protocolOf } from '../client-protocols.ts';
import type { Line, Order, PlatformLookup, PlatformTx } from '../collections.ts';
import { lineOf, noteOrder, orderOf, statusOf, voucherRecord } from '../orders.ts';
import type { Platform } from '../platform.ts';
import { putItem } from '../stock.ts';
import { settleWork } from './deliver.ts';

/** Has the vendor fulfil a line. Stores the outcome and schedules its report in the same transaction (G15, G16). */
export async function fulfilLine(platform: Platform, work: Work): Promise<void> {
  const { store } = platform;
  const line = lineOf(store, work.payload.redeemCode ?? '');
  const { redeemCode, sku_code, product_type, quantity } = line;
  const item = itemOf(store, sku_code);
  const form = item?.voucherForm;
  const request = { redeemCode, sku_code, product_type, quantity, trace: work.trace, ...(form && { form }) };
  const answer = item === undefined ? removedItem : await platform.vendors.fulfil(request);
  await store.transact((tx) => bookAnswer(platform, tx, work, answer));
}

function bookAnswer(platform: Platform, tx: PlatformTx, work: Work, answer: VendorAnswer): void {
  const line = lineOf(tx, work.payload.redeemCode ?? '');
  const item = itemOf(tx, line.sku_code);
  const decision = decideFulfilment(line, answer, { tries: work.tries, stock: item?.stock });
  const { event, next } = decision;
  if (event?.type === 'delivered' && item !== undefined) {
    putItem(platform, tx, { ...item, stock: event.stock }, { trace: work.trace, party: 'vendor' });
    const issue = { issued: platform.clock.now(), ...platform.settings() };
    for (const voucher of event.vouchers) {
      tx.add('vouchers', voucher.voucherCode, voucherRecord(line, voucher, event.partnerCode, issue));
    }
  }
  settleWork(platform, tx, work, next);
  bookDecision(platform, tx, line, decision, work.trace);
}

/** Applies a decision about a pending line: ends the line if it is final, and schedules the report. */
function bookDecision(platform: Platform, tx: PlatformTx, line: Line, { event, report }: LineDecision, trace: string) {
  if (event !== undefined) endLine(platform, tx, line, event, trace);
  if (!report) return;
  const { redeemCode, uid } = line;
  if (event?.type !== 'delivered') expectChange(platform, tx, { uid }, lineChange('reversal', line));
  schedule(tx, { kind: 'reportStatus', at: platform.clock.now(), trace, payload: { redeemCode } });
}

/** Stores the final state of a line and updates its order. */
function endLine(platform: Platform, tx: PlatformTx, line: Line, event: LineEvent, trace: string): void {
  const after = evolveLine(line, event);
  tx.put('lines', line.redeemCode, after);
  const order = orderOf(tx, line.order_id);
  tx.put('orders', line.order_id, { ...order, status: statusOf(tx, order), updated: platform.clock.now() });
  const detail = { from: line.status, to: after.status, remark: after.remark };
  const about = { trace, uid: line.uid, redeemCodes: [line.redeemCode] };
  noteOrder(platform, tx, about, `line.${after.status.toLowerCase()}`, detail);
}

/** Reports the final status of a line to the client until it is acknowledged (B10, E8; OP-21, OP-22, OP-24, OP-52). */
export async function reportStatus(platform: Platform, work: Work): Promise<void> {
  const line = lineOf(platform.store, work.payload.redeemCode ?? '');
  const { door } = orderOf(platform.store, line.order_id);
  const answer = await protocolOf(platform, door).report(line, work.trace);
  await platform.store.transact((tx) => bookReport(platform, tx, work, line, answer));
}

function bookReport(platform: Platform, tx: PlatformTx, work: Work, line: Line, answer: Answer): void {
  const { event, next } = decideReport(line, answer);
  if (event?.type === 'acknowledged') tx.put('lines', line.redeemCode, evolveLine(line, event));
  else if (event !== undefined) {
    voidVouchers(platform, tx, line, work.trace);
    endLine(platform, tx, line, event, work.trace);
    recordReversal(platform, tx, line);
  }
  if (line.status === 'Rejected' && next.kind === 'done') {
    confirmChange(platform, tx, line.uid, { kind: 'reversal', reference: line.redeemCode });
  }
  settleWork(platform, tx, work, next);
}

/** Voids the vouchers of a line and restores its stock. No customer has seen these vouchers (OP-121). */
function voidVouchers(platform: Platform, tx: PlatformTx, line: Line, trace: string): void {
  for (const { voucherCode } of tx.find('vouchers', 'redeemCode', line.redeemCode)) tx.remove('vouchers', voucherCode);
  const item = itemOf(tx, line.sku_code);
  if (item === undefined) return;
  putItem(platform, tx, { ...item, stock: item.stock + line.quantity }, { trace, party: 'platform' });
}

/**
 * Cancels each of the given lines independently, if possible (OP-127 to OP-129). Returns the cancelled lines, and the
 * refused lines with their reasons; `undefined` if a reset or restore has removed the order (OP-64).
 */
export async function cancelLines(
  platform: Platform,
  order: Order,
  redeemCodes: readonly string[],
  cancellation: Cancellation,
  trace: string,
) {
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
async function cancelLine(platform: Platform, order: Order, redeemCode: string, remark: string, trace: string) {
  const { store, vendors } = platform;
  const stateOf = (reader: PlatformLookup) =>
    cancellable(lineOf(reader, redeemCode), reader.get('orders', order.order_id)?.state ?? 'failed');
  const can = stateOf(store);
  if (can !== 'ask_vendor') return can;
  const { sku_code } = lineOf(store, redeemCode);
  if (!(await vendors.cancel({ redeemCode, sku_code, remark, trace }))) return 'confirmed';
  return store.transact((tx) => {
    if (!isThere(tx, order)) return undefined;
    const line = lineOf(tx, redeemCode);
    dropFulfilment(tx, redeemCode);
    bookDecision(platform, tx, line, decideCancellation(line, remark), trace);
    const after = stateOf(tx);
    if (after === 'ask_vendor') throw new Error(`${redeemCode} was cancelled and is Pending`);
    return after;
  });
}

/** Removes the scheduled vendor call for a line. */
export function dropFulfilment(tx: PlatformTx, redeemCode: string): void {
  for (const { id } of tx.find('due', 'about', `fulfilLine ${redeemCode}`)) tx.remove('due', id);
}

/** Returns whether the order is still the same. After a reset, a different order can have the same id. */
function isThere(reader: PlatformLookup, { order_id, trace }: Order): boolean {
  return reader.get('orders', order_id)?.trace === trace;
}
