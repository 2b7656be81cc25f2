import type { VendorVoucher } from '../domain/order-line.ts';
import type { Line, VoucherRecord } from './books.ts';

const yearMilliseconds = 365 * 24 * 3600 * 1000;

/** What the platform keeps of a voucher that a vendor handed out for a line: valid for a year (OP-47). */
export function voucherRecord(line: Line, voucher: VendorVoucher, partnerCode: string, issued: number): VoucherRecord {
  const { redeemCode, uid, sku_code: productCode, product_name: productName, priceInr } = line;
  // A voucher says whole rupees, and never more than it cost (OP-134).
  const denomination = Math.floor(priceInr);
  const facts = { redeemCode, uid, partnerCode, productCode, productName, denomination };
  return { ...voucher, ...facts, issued, expires: issued + yearMilliseconds };
}
