/** The address and host of every operation in the interface, by section. The list is complete. */
export const interfaceOperations = [
  // A. Rewards platform API
  ['POST', '/rewards/v1/company/auth', 'platform'],
  ['POST', '/rewards/v1/customer/auth', 'platform'],
  ['GET', '/rewards/v1/partner/rewards', 'platform'],
  ['POST', '/rewards/v1/partner/redeemptiononskus', 'platform'],
  ['GET', '/rewards/getwalletdetail', 'platform'],
  // B. Client-hosted API
  ['POST', '/client/getProfileAndPoints', 'client'],
  ['POST', '/client/creditPoints', 'client'],
  ['POST', '/client/saveRedeemDetails', 'client'],
  ['POST', '/client/updateRedeemStatus', 'client'],
  // C. Redemption portal entry
  ['GET', '/portal/signin', 'platform'],
  // D. Client-hosted customer authentication, and the first two of E
  ['POST', '/client/api/v1/auth/generate-otp', 'client'],
  ['POST', '/client/api/v1/auth/verify-otp', 'client'],
  // E. Versioned resource list
  ['GET', '/client/api/v1/customer/points', 'client'],
  ['GET', '/rewards/api/v1/catalog', 'platform'],
  ['POST', '/rewards/api/v1/orders', 'platform'],
  ['GET', '/rewards/api/v1/orders/status', 'platform'],
  ['POST', '/client/api/v1/orders/redeem', 'client'],
  ['POST', '/client/api/v1/orders/reverse', 'client'],
  // F. General API
  ['POST', '/general/v1/auth/login', 'platform'],
  ['GET', '/general/v1/users/profile', 'platform'],
  ['GET', '/general/v1/products', 'platform'],
  ['POST', '/general/v1/orders', 'platform'],
] as const;

/** The two operations that the interface lists twice. For them, `v2-client.yaml` refers to `auth.yaml`. */
export const sharedOperations: readonly string[] = ['generateOtp', 'verifyOtp'];
