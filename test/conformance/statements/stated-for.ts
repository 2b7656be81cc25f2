/**
 * The statements that make each rule an error, and the operations they apply to. A rule without a row here may only warn.
 * `stated-for.test.ts` compares the rows with the rules.
 */

const placing = 'createRedemptionOrder createOrder createProductOrder';
const balances = 'getProfileAndPoints getCustomerPoints';

/** For each rule based on statements: the statements, and the operations at fault. */
export const statedFor: Readonly<Record<string, readonly [statements: string, operations: string]>> = {
  // Sign-in and tokens.
  'company-token': ['A1', 'companyAuth'],
  'access-token': ['F1', 'login'],
  jwt: ['D6', 'verifyOtp'],
  'points-information': ['D6', 'verifyOtp'],
  'company-token-issued-first': ['A1 A4', 'listRewards'],
  'wallet-token-issued-first': ['A1', 'getWalletDetail'],
  'order-token-issued-first': ['A1', 'createRedemptionOrder'],
  'company-signs-in-first': ['A3', 'customerAuth'],
  'access-token-issued-first': ['F1 T3', 'getUserProfile listProducts createProductOrder'],
  'jwt-issued-first': ['T2', 'getProfileAndPoints saveRedeemDetails'],
  'jwt-of-a-sign-in': ['T2', 'createOrder getCustomerPoints redeemPoints'],
  'company-token-issued': ['A1 A4', 'listRewards'],
  'customer-auth-token-issued': ['A3', 'customerAuth'],
  'access-token-issued': ['F1 T3', 'getUserProfile listProducts'],
  'code-sent-before-it-is-verified': ['T4', 'verifyOtp'],
  'verified-code-was-sent': ['T4', 'verifyOtp'],
  'portal-asks-the-client': ['G9 M4', 'openPortal'],
  'portal-refuses-an-invalid-token': ['G11', 'openPortal'],
  'calls-an-hour': [
    'L1',
    `${placing} listRewards getWalletDetail customerAuth sendPaymentEvent listCatalog getOrderStatus getUserProfile listProducts`,
  ],

  // The rewards listing.
  'type-filter': ['A5', 'listRewards'],
  'page-size': ['A7', 'listRewards'],
  'default-page-size': ['L2', 'listRewards'],
  'cursor-has-more': ['R7', 'listRewards'],
  'cursor-advances': ['R6', 'listRewards'],
  'cursor-leads-on': ['R6', 'listRewards'],
  'cursor-issued': ['A8', 'listRewards'],
  'cursor-issued-first': ['A8', 'listRewards'],
  'invalid-type-refused': ['X6', 'listRewards'],
  'message-of-code-fifty': ['X6', 'listRewards'],
  'code-fifty-of-message': ['X6', 'listRewards'],
  'invalid-cursor-refused': ['X7', 'listRewards'],
  'message-of-code-fifty-one': ['X7', 'listRewards'],
  'code-fifty-one-of-message': ['X7', 'listRewards'],

  // Orders.
  'line-names-an-item': ['A13', 'createRedemptionOrder'],
  'sku-exactly-as-listed': ['A13 R3', 'createRedemptionOrder'],
  'order-goes-to-the-client': ['G13 M5', placing],
  'order-code-unique': ['R13', `${placing} getOrderStatus`],

  // Redemptions, as the platform sends them.
  'record-has-the-quantity': ['R11', 'saveRedeemDetails'],
  'record-has-the-customer': ['R11 G13', 'saveRedeemDetails'],
  'total-covers-points': ['R14 R17', 'saveRedeemDetails'],
  'redeem-code-unique': ['R13', 'saveRedeemDetails'],
  'no-record-after-delivered': ['G14 S4', 'saveRedeemDetails'],
  'no-record-after-rejected': ['G14 S6', 'saveRedeemDetails'],
  'order-status-repeats-status': ['B11', 'updateRedeemStatus'],
  'pending-follows-its-record': ['S3', 'updateRedeemStatus'],
  'delivered-follows-its-record': ['S4', 'updateRedeemStatus'],
  'rejected-follows-its-record': ['S6', 'updateRedeemStatus'],
  'delivery-of-a-taken-record': ['S3 S4', 'updateRedeemStatus'],
  'delivered-is-final': ['S4 S5', 'updateRedeemStatus'],
  'rejected-is-final': ['S6', 'updateRedeemStatus'],
  'voucher-is-reported': ['G15', 'getWalletDetail'],
  'delivery-is-reported': ['G15', `${placing} getOrderStatus`],
  'failure-is-reported': ['G16', `${placing} getOrderStatus`],
  'failure-is-reversed': ['E8', `${placing} getOrderStatus`],
  'failed-order-is-undone': ['G16', placing],
  'order-of-a-taken-record': ['B9 S3', `${placing} getOrderStatus`],
  'reversal-of-a-deduction': ['E8', 'reversePoints'],
  'delivered-order-stays': ['S4', 'getOrderStatus'],
  'rejected-order-stays': ['S6', 'getOrderStatus'],
  'transaction-credited-once': ['R20', 'creditPoints'],
  'payment-is-credited': ['G8 M2', 'sendPaymentEvent'],
  'credit-follows-its-payment': ['G8 M2', 'creditPoints'],

  // The client's replies, and the balances they show.
  'profile-needs-a-token': ['B1 T3 X2', 'getProfileAndPoints'],
  'record-needs-a-token': ['B1 B8 T3', 'saveRedeemDetails'],
  'call-needs-a-token': ['B1 T3', 'creditPoints updateRedeemStatus'],
  'date-of-birth': ['R9', 'getProfileAndPoints'],
  'token-invalid-message': ['X2', 'getProfileAndPoints'],
  'incomplete-record-refused': ['X3', 'saveRedeemDetails'],
  'record-details-message': ['X3', 'saveRedeemDetails'],
  'incomplete-update-refused': ['X4', 'updateRedeemStatus'],
  'update-details-message': ['X4', 'updateRedeemStatus'],
  'deduction-is-covered': ['B9', 'saveRedeemDetails'],
  'deduction-lowers-the-balance': ['B7 S3', balances],
  'rejection-restores-the-balance': ['B14 R17 S8', balances],
  'credit-raises-the-balance': ['R21', balances],
  'delivery-moves-no-points': ['S5', balances],
  'redeem-lowers-the-balance': ['E7', balances],
  'reverse-restores-the-balance': ['E8', balances],

  // The wallet.
  'voucher-code-unique': ['R23', 'getWalletDetail'],
  'voucher-code-of-one-redemption': ['R23', 'getWalletDetail'],
  'validity-begins-before-it-ends': ['R22', 'getWalletDetail'],
  'validity-is-a-date': ['R24', 'getWalletDetail'],
  'voucher-of-its-customer': ['A15 R22', 'getWalletDetail'],
};
