import type { Answer } from '../../domain/failures.ts';
import {
  decideFulfilment,
  decideReport,
  evolveLine,
  type LineDecision,
  type LineEvent,
  removedItem,
  type VendorAnswer,
} from '../../domain/order-line.ts';
import { schedule, type Work } from '../../jobs/work.ts';
import type { Tx } from '../../store/store.ts';
import { confirmChange, expectChange, lineChange, recordReversal } from '../balances.ts';
import { itemOf } from '../catalogue.ts';
import { protocolOf } from '../client-protocols.ts';
import type { Item, Line, PlatformCollections } from '../collections.ts';
import { lineOf, orderOf, statusOf, voucherRecord } from '../orders.ts';
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

function bookAnswer(platform: Platform, tx: Tx<PlatformCollections>, work: Work, answer: VendorAnswer): void {
  const line = lineOf(tx, work.payload.redeemCode ?? '');
  const item = itemOf(tx, line.sku_code);
  const decision = decideFulfilment(line, answer, { tries: work.tries, stock: item?.stock });
  const { event, next } = decision;
  if (event?.type === 'delivered' && item !== undefined) handOut(platform, tx, { line, item, event }, work.trace);
  settleWork(platform, tx, work, next);
  bookDecision(platform, tx, line, decision, work.trace);
}

/** Applies a decision about a pending line: ends the line if it is final, and schedules the report. */
export function bookDecision(
  platform: Platform,
  tx: Tx<PlatformCollections>,
  line: Line,
  { event, report }: LineDecision,
  trace: string,
): void {
  if (event !== undefined) endLine(platform, tx, line, event, trace);
  if (!report) return;
  const { redeemCode, uid } = line;
  if (event?.type !== 'delivered') expectChange(platform, tx, { uid }, lineChange('reversal', line));
  schedule(tx, { kind: 'reportStatus', at: platform.clock.now(), trace, payload: { redeemCode } });
}

/** A delivered line, with the item whose stock it reduces and the event with its vouchers. */
interface Delivery {
  readonly line: Line;
  readonly item: Item;
  readonly event: Extract<LineEvent, { type: 'delivered' }>;
}

function handOut(
  platform: Platform,
  tx: Tx<PlatformCollections>,
  { line, item, event }: Delivery,
  trace: string,
): void {
  const { vouchers, partnerCode, stock } = event;
  putItem(platform, tx, { ...item, stock }, { trace, party: 'vendor' });
  const issue = { issued: platform.clock.now(), ...platform.settings() };
  for (const voucher of vouchers) {
    tx.add('vouchers', voucher.voucherCode, voucherRecord(line, voucher, partnerCode, issue));
  }
}

/** Stores the final state of a line and updates its order. */
export function endLine(
  platform: Platform,
  tx: Tx<PlatformCollections>,
  line: Line,
  event: LineEvent,
  trace: string,
): void {
  const after = evolveLine(line, event);
  tx.put('lines', line.redeemCode, after);
  const order = orderOf(tx, line.order_id);
  tx.put('orders', line.order_id, { ...order, status: statusOf(tx, order), updated: platform.clock.now() });
  platform.activity.note(tx, {
    trace,
    party: 'platform',
    event: `line.${after.status.toLowerCase()}`,
    uid: line.uid,
    redeem_codes: [line.redeemCode],
    detail: { from: line.status, to: after.status, remark: after.remark },
  });
}

/** Reports the final status of a line to the client until it is acknowledged (B10, E8; OP-21, OP-22, OP-24, OP-52). */
export async function reportStatus(platform: Platform, work: Work): Promise<void> {
  const line = lineOf(platform.store, work.payload.redeemCode ?? '');
  const { door } = orderOf(platform.store, line.order_id);
  const answer = await protocolOf(platform, door).report(line, work.trace);
  await platform.store.transact((tx) => bookReport(platform, tx, work, line, answer));
}

function bookReport(platform: Platform, tx: Tx<PlatformCollections>, work: Work, line: Line, answer: Answer): void {
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
function voidVouchers(platform: Platform, tx: Tx<PlatformCollections>, line: Line, trace: string): void {
  for (const { voucherCode } of tx.find('vouchers', 'redeemCode', line.redeemCode)) tx.remove('vouchers', voucherCode);
  const item = itemOf(tx, line.sku_code);
  if (item === undefined) return;
  putItem(platform, tx, { ...item, stock: item.stock + line.quantity }, { trace, party: 'platform' });
}
