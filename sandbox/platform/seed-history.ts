import { evolve, type OrderState } from '../domain/order.ts';
import { evolveLine, newLine, type VendorVoucher } from '../domain/order-line.ts';
import { earnedPoints, linePoints, parseAmount } from '../domain/points.ts';
import { defaultSettings } from '../runtime/settings.ts';
import { digest } from '../runtime/tokens.ts';
import type { Tx } from '../store/store.ts';
import { itemOf } from './catalogue.ts';
import type { Line, Payment, PlatformCollections } from './collections.ts';
import { voucherRecord } from './orders.ts';

/** A past payment in the demo data. */
interface PastPayment {
  readonly uid: string;
  readonly at: number;
  readonly transactionId: string;
  readonly paymentAmount: string;
}

/** A past one-line order in the demo data, with its outcome. */
interface PastOrder {
  readonly uid: string;
  readonly at: number;
  readonly order_id: string;
  readonly redeemCode: string;
  readonly sku: string;
  readonly quantity: number;
  readonly partnerCode: string;
  readonly vouchers: readonly VendorVoucher[];
  readonly end: 'Pending' | 'Delivered' | 'Rejected';
  /** The reason for the rejection. */
  readonly remark: string;
}

/** Milliseconds from an order to its end: the vendors' default delay (OP-35). */
const untilEnd = 2_000;

/** Stores a past payment. */
export function seedPayment(tx: Tx<PlatformCollections>, past: PastPayment): Payment {
  const { uid, at, transactionId, paymentAmount } = past;
  const paise = parseAmount(paymentAmount);
  if (paise === undefined) throw new RangeError(`${paymentAmount} is not an amount`);
  const points = earnedPoints(paise, defaultSettings);
  const fingerprint = digest(JSON.stringify([uid, 'DIGITAL_PAYMENT', paise.toString(), null]));
  const payment = { uid, transactionId, paymentAmount, points, fingerprint, at };
  tx.add('payments', transactionId, payment);
  return payment;
}

/**
 * Stores a past order in its final state, with its vouchers. It predates the activity log, so it has no sequence number
 * and lists of placed orders omit it (OP-84, OP-162).
 */
export function seedOrder(tx: Tx<PlatformCollections>, past: PastOrder): Line {
  const { uid, at, order_id, redeemCode, vouchers, end } = past;
  const line = lineOf(tx, past);
  const placing = { order_id, uid, door: 'v1', reference_id: null, state: 'placing' as OrderState } as const;
  const order = { ...placing, redeemCodes: [redeemCode], created: at, seq: 0, trace: digest(order_id).slice(0, 32) };
  const updated = end === 'Pending' ? at : at + untilEnd;
  tx.add('orders', order_id, { ...evolve(order, { type: 'placed', fulfil: [redeemCode] }), updated });
  tx.add('lines', redeemCode, line);
  for (const voucher of vouchers) {
    tx.add(
      'vouchers',
      voucher.voucherCode,
      voucherRecord(line, voucher, past.partnerCode, { issued: updated, ...defaultSettings }),
    );
  }
  return line;
}

/** Returns the line after its events. */
function lineOf(tx: Tx<PlatformCollections>, past: PastOrder): Line {
  const { uid, order_id, redeemCode, sku, quantity, partnerCode, vouchers, end, remark } = past;
  const item = itemOf(tx, sku);
  if (item === undefined) throw new Error(`the demo catalogue has no ${sku}`);
  const { sku_code, product_type, skus: product_name, priceInr, stock } = item;
  const points = linePoints({ product_type, priceInr, quantity }, defaultSettings);
  const facts = { redeemCode, order_id, uid, sku_code, product_type, product_name, priceInr, quantity, points };
  const line: Line = { ...facts, ...newLine };
  if (end === 'Pending') return line;
  if (end === 'Rejected') return evolveLine(line, { type: 'rejected', remark });
  return evolveLine(evolveLine(line, { type: 'delivered', partnerCode, vouchers, stock }), { type: 'acknowledged' });
}
