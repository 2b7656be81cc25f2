import type { components } from '../../generated/rewards/types.ts';
import { orderPoints, orderStatus } from '../domain/order.ts';
import type { VendorVoucher } from '../domain/order-line.ts';
import type { Tx } from '../store/store.ts';
import type { Line, Order, PlatformCollections, VoucherRecord } from './collections.ts';

/** An order as the interface shows it (OP-06), from the collections or from within a transaction. */
export function orderResource(
  reader: Pick<Tx<PlatformCollections>, 'get'>,
  order: Order,
): components['schemas']['Order'] {
  const lines = order.redeemCodes.map((code) => lineOf(reader, code));
  return {
    order_id: order.order_id,
    reference_id: order.reference_id,
    status: orderStatus(lines.map(({ status }) => status)),
    lines: lines.map((line) => ({
      redeemCode: line.redeemCode,
      sku_code: line.sku_code,
      product_type: line.product_type,
      product_name: line.product_name,
      quantity: line.quantity,
      points: orderPoints([line.points]),
      status: line.status,
      remark: line.remark,
    })),
    points: orderPoints(lines.map(({ points }) => points)),
    created_at: new Date(order.created).toISOString(),
    updated_at: new Date(order.updated).toISOString(),
  };
}

/** The line under a code that an order names. */
export function lineOf(reader: Pick<Tx<PlatformCollections>, 'get'>, redeemCode: string): Line {
  const line = reader.get('lines', redeemCode);
  if (line === undefined) throw new Error(`the ledger has no line ${redeemCode}`);
  return line;
}

/** The order under an id that a line or a piece of work names. */
export function orderOf(reader: Pick<Tx<PlatformCollections>, 'get'>, order_id: string): Order {
  const order = reader.get('orders', order_id);
  if (order === undefined) throw new Error(`the ledger has no order ${order_id}`);
  return order;
}

const yearMilliseconds = 365 * 24 * 3600 * 1000;

/** What the platform keeps of a voucher that a vendor handed out for a line: valid for a year (OP-47). */
export function voucherRecord(line: Line, voucher: VendorVoucher, partnerCode: string, issued: number): VoucherRecord {
  const { redeemCode, uid, sku_code: productCode, product_name: productName, priceInr } = line;
  // A voucher says whole rupees, and never more than it cost (OP-134).
  const denomination = Math.floor(priceInr);
  const facts = { redeemCode, uid, partnerCode, productCode, productName, denomination };
  return { ...voucher, ...facts, issued, expires: issued + yearMilliseconds };
}
