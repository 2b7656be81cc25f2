/** The wallet record of the voucher in test orders. */
import { expect } from 'vitest';

/** Builds the record of one EGV-SPICE-500, delivered two seconds after the sandbox's start time. Codes and PINs are random. */
export function voucherRecord(redemptionCode: string | undefined) {
  return {
    voucherCode: expect.stringMatching(/^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/),
    redemptionCode,
    projectCode: 'DEMO01',
    partnerCode: 'VENDOR-EGIFT',
    productCode: 'EGV-SPICE-500',
    productName: 'Spice Route Kitchen e-gift voucher 500',
    denomination: 500,
    faceValue: 500,
    // 04:30:02 UTC. Validity dates use Indian time (OP-47).
    validityStartDate: '2026-01-12 10:00:02',
    validityEndDate: '2027-01-12 10:00:02',
    GCID: null,
    pin: expect.stringMatching(/^\d{6}$/),
    remark: '',
  };
}
