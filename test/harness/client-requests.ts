/** Valid request bodies for the client-hosted operations. Tests remove or corrupt parts of them. */

export const redemption = {
  uid: 'CUST0001',
  scheme: 'DEMO01',
  redeemCode: 'RDM-900001-TEST01',
  redeemPoints: '500',
  shippingAddress: '',
  processingFee: '0',
  productCode: 'EGV-SPICE-500',
  productName: 'Spice Route Kitchen e-gift voucher 500',
  quantity: '1',
  redeemStatus: 'pending',
  email: 'somebody@example.com',
  mobileNo: '5000000001',
  totalpoints: '500',
  totalPointWithProcessingFee: '500',
  tdsSingleItem: '0',
} as const;

export const credit = {
  uid: 'CUST0001',
  eventType: 'DIGITAL_PAYMENT',
  transactionId: 'TXN-900001',
  paymentAmount: '2499.50',
  points: '24',
} as const;

/** Builds a status report for a redemption. */
export function report(status: 'Pending' | 'Delivered' | 'Rejected', redeemCode: string = redemption.redeemCode) {
  return { redeemCode, status, orderStatus: status, remark: '', projectCode: 'DEMO01' };
}
