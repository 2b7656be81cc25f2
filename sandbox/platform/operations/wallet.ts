import { isExpired } from '../../domain/order-line.ts';
import { indianTime } from '../../runtime/clock.ts';
import { yieldToEventLoop } from '../../store/row.ts';
import { type RewardsCall, type RewardsReply, refuseForeign } from '../access.ts';
import type { VoucherRecord } from '../collections.ts';
import type { Platform } from '../platform.ts';

/** Number of vouchers to format before yielding to other calls (OP-92). */
const batchSize = 1000;

/**
 * Lists the vouchers of a customer's delivered e-gift redemptions, by default oldest first (A14 to A16, OP-27). A
 * voucher appears once the client has acknowledged the delivery (OP-121).
 */
export async function getWalletDetail(
  platform: Platform,
  call: RewardsCall<'getWalletDetail'>,
): Promise<RewardsReply<'getWalletDetail'>> {
  const { caller, query } = call;
  const foreign = refuseForeign(caller, query.uid, 'query parameter uid');
  if (foreign !== undefined) return foreign;
  const vouchers = platform.store.find('vouchers', 'uid', query.uid);
  const unconfirmed = new Set(platform.store.find('lines', 'held', query.uid).map(({ redeemCode }) => redeemCode));
  const data: ReturnType<typeof toPublicVoucher>[] = [];
  for (const voucher of vouchers) {
    if (unconfirmed.has(voucher.redeemCode)) continue;
    data.push(toPublicVoucher(voucher, platform.projectCode, platform.clock.now()));
    if (data.length % batchSize === 0) await yieldToEventLoop();
  }
  if (platform.settings().wallet_order === 'newest_first') data.reverse();
  return { status: 200, body: { success: true, status: 200, data } };
}

function toPublicVoucher(voucher: VoucherRecord, projectCode: string, now: number) {
  return {
    voucherCode: voucher.voucherCode,
    redemptionCode: voucher.redeemCode,
    projectCode,
    partnerCode: voucher.partnerCode,
    productCode: voucher.productCode,
    productName: voucher.productName,
    denomination: voucher.denomination,
    faceValue: voucher.denomination,
    validityStartDate: indianTime(voucher.issued),
    validityEndDate: indianTime(voucher.expires),
    GCID: voucher.gcid ?? null,
    pin: voucher.pin,
    remark: isExpired(voucher.expires, now) ? 'Expired' : '',
  };
}
