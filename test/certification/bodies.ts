/** Bodies of calls to a client's server, and where they go. */

/** The paths of the operations. */
export const paths = {
  profile: '/getProfileAndPoints?uid=ANN',
  credits: '/creditPoints',
  saves: '/saveRedeemDetails',
  updates: '/updateRedeemStatus',
  generate: '/api/v1/auth/generate-otp',
  verify: '/api/v1/auth/verify-otp',
  redeem: '/api/v1/orders/redeem',
  reverse: '/api/v1/orders/reverse',
} as const;

/** A credit of 24 points. */
export function credit(transactionId: string, more: object = {}) {
  const event = { uid: 'ANN', eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: '2499.50', points: '24' };
  return { ...event, ...more };
}

/** A record of 1,000 points, 20 of TDS and a fee of 49. */
export function record(redeemCode: string, more: object = {}) {
  const points = { redeemPoints: '1000', tdsSingleItem: '10', quantity: '2', totalpoints: '1020', processingFee: '49' };
  const product = { productCode: 'PHY-1', productName: 'Kettle', shippingAddress: '4 Mill Road, Pune' };
  const customer = { uid: 'ANN', scheme: 'DEMO01', email: 'ann@example.com', mobileNo: '5000000001' };
  const total = { totalPointWithProcessingFee: '1069', redeemStatus: 'pending' };
  return { redeemCode, ...customer, ...product, ...points, ...total, ...more };
}

/** A record of a number of points for a voucher. */
export function plain(redeemCode: string, points: number | string, more: object = {}) {
  const total = String(points);
  const all = { redeemPoints: total, totalpoints: total, totalPointWithProcessingFee: total };
  return record(redeemCode, { ...all, tdsSingleItem: '0', processingFee: '0', quantity: '1', ...more });
}

/** A report of how a redemption ended. */
export function update(redeemCode: string, status: string, more: object = {}) {
  return { redeemCode, status, orderStatus: status, remark: '', projectCode: 'DEMO01', ...more };
}

/** The body without a field. */
export function without(body: object, name: string): object {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}

/** Creates a number of values. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
