import { indianTime } from '../../runtime/clock.ts';
import { refuseForeign } from '../access.ts';
import type { RewardsCall, RewardsReply } from '../calls.ts';
import type { Platform } from '../platform.ts';

/** Lists the vouchers of a customer's delivered e-gift redemptions, oldest first (interface A, OP-27). */
export async function getWalletDetail(
  platform: Platform,
  call: RewardsCall<'getWalletDetail'>,
): Promise<RewardsReply<'getWalletDetail'>> {
  const { caller, query } = call;
  const foreign = refuseForeign(caller, query.uid, 'query parameter uid');
  if (foreign !== undefined) return foreign;
  const data = platform.store.find('vouchers', 'uid', query.uid).map((voucher) => ({
    voucherCode: voucher.voucherCode,
    redemptionCode: voucher.redeemCode,
    projectCode: platform.projectCode,
    partnerCode: voucher.partnerCode,
    productCode: voucher.productCode,
    productName: voucher.productName,
    denomination: voucher.denomination,
    faceValue: voucher.denomination,
    validityStartDate: indianTime(voucher.issued),
    validityEndDate: indianTime(voucher.expires),
    GCID: null,
    pin: voucher.pin,
    remark: '',
  }));
  return { status: 200, body: { success: true, status: 200, data } };
}
