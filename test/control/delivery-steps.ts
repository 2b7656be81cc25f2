/** The steps from the vendor's voucher delivery to the customer's message, as the control API lists them. */
export const deliverySteps = [
  'vendor.delivered',
  'catalogue.updated',
  'line.delivered',
  'redemption.delivered',
  'call_in updateRedeemStatus 200',
  'call_out updateRedeemStatus 200',
  'call_in getWalletDetail 200',
  'call_out getWalletDetail 200',
];
