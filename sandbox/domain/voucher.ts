/** Vouchers once they are handed out (R22, OP-47, OP-161). */

/** Whether a voucher's validity is over: it ends with the beginning of the second that its end date names. */
export function isExpired(end: number, now: number): boolean {
  return Math.floor(now / 1000) >= Math.floor(end / 1000);
}
