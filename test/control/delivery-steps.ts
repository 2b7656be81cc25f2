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

/** The steps of an order of one voucher, with the ledger entry of its deduction. */
export const placingSteps = [
  'call_in getProfileAndPoints 200',
  'call_out getProfileAndPoints 200',
  'order.placing',
  'redemption.deducted',
  'ledger deduct 500',
  'call_in saveRedeemDetails 200',
  'call_out saveRedeemDetails 200',
  'order.placed',
  'call_in createRedemptionOrder 200',
];
