/** Values that make a call ready to send, including results of earlier calls. `{{NAME}}` is a variable. */
export interface Values {
  /** Parameters to use instead of the contract's examples. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Body fields to change. `undefined` removes a field from the example. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Values to save from the reply: the variable name, and the path to the value in the reply. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** Calls to insert directly before this one outside the journey, because this call consumes their result. */
  readonly before?: readonly string[];
}

/** The journey of one customer from sign-in to voucher, as `operationId`s. */
export const journey: readonly string[] = [
  'getWorkspace',
  'companyAuth',
  'generateOtp',
  'listMessages',
  'verifyOtp',
  'customerAuth',
  'listRewards',
  'createRedemptionOrder',
  'advanceClock',
  'getPlacedOrder',
  'getWalletDetail',
  'getRedemption',
];

/**
 * Operations that remove data needed by other calls, as `operationId`s in a working order. The list includes every
 * DELETE, the operations that restore an earlier state, and the deletion of the forked workspace.
 */
export const ending: readonly string[] = [
  'deleteCertification',
  'deleteFault',
  'deleteFaults',
  'deleteVendorOutcome',
  'deleteCatalogueItem',
  'deleteWebhook',
  'deleteWorkspace',
  'forkSnapshot',
  'deleteWorkspace',
  'restoreSnapshot',
  'deleteSnapshot',
  'resetWorkspace',
];

const anyReference = { reference_id: undefined } as const;
/** An order small enough to leave points for later orders. */
const small = { ...anyReference, line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] } as const;

/** An order for a voucher and a product. The customer's points cover four such orders, even without refunds. */
const ordered = {
  ...anyReference,
  line_items: [
    { sku: 'EGV-SPICE-500', quantity: 1 },
    { sku: 'PHY-KETTLE-01', quantity: 1 },
  ],
} as const;

/** Demo values by `operationId`. */
export const demoValues: Readonly<Record<string, Values>> = {
  getWorkspace: {
    keeps: {
      REWARDS: 'urls.rewards',
      CLIENT: 'settings.client_url',
      GENERAL: 'urls.general',
      GATEWAY: 'urls.gateway',
      COMPANY_SECRET: 'credentials.company_secret',
      MICROSITE_PASSWORD: 'credentials.basic.password',
      SERVICE_TOKEN: 'credentials.service_token',
      GENERAL_PASSWORD: 'credentials.general.password',
      GATEWAY_TOKEN: 'credentials.gateway_token',
    },
  },
  companyAuth: { body: { secret: '{{COMPANY_SECRET}}' }, keeps: { COMPANY_TOKEN: 'token' } },
  generateOtp: { keeps: { REFERENCE_ID: 'reference_id' } },
  listMessages: {
    parameters: { uid: 'CUST0007' },
    keeps: { OTP: 'items.find((message) => message.otp)?.otp' },
  },
  verifyOtp: {
    body: { otp: '{{OTP}}', reference_id: '{{REFERENCE_ID}}' },
    keeps: { CUSTOMER_JWT: 'token' },
    before: ['listMessages'],
  },
  customerAuth: { body: { token: '{{CUSTOMER_JWT}}' }, keeps: { CUSTOMER_TOKEN: 'token' } },
  // Omit `reference_id`: each value belongs to one order (OP-133), and readers send collections repeatedly.
  createRedemptionOrder: { body: ordered, keeps: { ORDER_ID: 'order_id', REDEEM_CODE: 'lines[0].redeemCode' } },
  createOrder: { body: small },
  createProductOrder: { body: small },
  getPlacedOrder: { parameters: { order_id: '{{ORDER_ID}}' } },
  getRedemption: { parameters: { redeemCode: '{{REDEEM_CODE}}' } },
  getOrderStatus: { parameters: { order_id: '{{ORDER_ID}}' } },
  registerWebhook: { keeps: { WEBHOOK_ID: 'webhook_id' } },
  deleteWebhook: { parameters: { webhook_id: '{{WEBHOOK_ID}}' } },
  listWebhookDeliveries: { parameters: { webhook_id: '{{WEBHOOK_ID}}' } },
  // A long delay keeps the orders of the two triggers below pending, however slowly a reader sends the calls.
  setVendorOutcome: { body: { outcome: 'deliver', reason: undefined, delay_seconds: 3600 } },
  triggerStatusUpdate: { body: { redeemCode: '{{REDEEM_CODE}}' } },
  triggerTimeout: { body: { redeemCode: '{{REDEEM_CODE}}' } },
  // These triggers need a pending redemption.
  triggerVendorOutcome: { body: { redeemCode: '{{REDEEM_CODE}}' }, before: ['createRedemptionOrder'] },
  triggerCancellation: { body: { redeemCode: '{{REDEEM_CODE}}' }, before: ['createRedemptionOrder'] },
  // Use a customer, item and fault that no later order needs.
  updateCustomer: { parameters: { uid: 'CUST0002' } },
  updateCatalogueItem: { parameters: { sku_code: 'EGV-SPICE-100' } },
  createFault: { body: { target: 'generateOtp' }, keeps: { FAULT_ID: 'id' } },
  deleteFault: { parameters: { id: '{{FAULT_ID}}' } },
  createSnapshot: { keeps: { SNAPSHOT_ID: 'id' } },
  deleteSnapshot: { parameters: { id: '{{SNAPSHOT_ID}}' } },
  restoreSnapshot: { parameters: { id: '{{SNAPSHOT_ID}}' } },
  forkSnapshot: { parameters: { id: '{{SNAPSHOT_ID}}' }, keeps: { WORKSPACE_ID: 'id' } },
  startCertification: { keeps: { CERTIFICATION_ID: 'id' } },
  getCertification: { parameters: { id: '{{CERTIFICATION_ID}}' } },
  deleteCertification: { parameters: { id: '{{CERTIFICATION_ID}}' } },
  createWorkspace: { keeps: { WORKSPACE_ID: 'id' } },
  checkWorkspace: { parameters: { id: '{{WORKSPACE_ID}}' } },
  updateListedWorkspace: { parameters: { id: '{{WORKSPACE_ID}}' } },
  deleteWorkspace: { parameters: { id: '{{WORKSPACE_ID}}' } },
  // Nothing listens at the address in the example, so deliveries to it remain pending.
  listDeliveries: { keeps: { DELIVERY_ID: 'items[0]?.id' } },
  replayDelivery: { parameters: { id: '{{DELIVERY_ID}}' } },
  login: { body: { password: '{{GENERAL_PASSWORD}}' }, keeps: { ACCESS_TOKEN: 'access_token' } },
};
