/** What a call takes from the calls before it, so that it can be sent as it is; `{{NAME}}` is a variable. */
export interface Values {
  /** In the place of what the contract's example has. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Undefined leaves a field of the example out. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Values to save from the reply: the variable, and its place in the reply. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** Calls that come right before it outside the journey, since it takes something of them that is used up. */
  readonly before?: readonly string[];
}

/** The journey, by operationId: one customer, from sign-in to the voucher. */
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
 * Operations that remove data which other calls need, by operationId, in an order that works: every DELETE, and those
 * that restore an earlier state. The forked workspace is deleted, too.
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
/** An order that leaves the customer points for the orders after it. */
const small = { ...anyReference, line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] } as const;

/** A voucher and a product: four of these are within the customer's points even where no points come back. */
const ordered = {
  ...anyReference,
  line_items: [
    { sku: 'EGV-SPICE-500', quantity: 1 },
    { sku: 'PHY-KETTLE-01', quantity: 1 },
  ],
} as const;

/** By operationId. */
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
  // A `reference_id` belongs to one order (OP-133), and a collection is sent again and again.
  createRedemptionOrder: { body: ordered, keeps: { ORDER_ID: 'order_id', REDEEM_CODE: 'lines[0].redeemCode' } },
  createOrder: { body: small },
  createProductOrder: { body: small },
  getPlacedOrder: { parameters: { order_id: '{{ORDER_ID}}' } },
  getRedemption: { parameters: { redeemCode: '{{REDEEM_CODE}}' } },
  getOrderStatus: { parameters: { order_id: '{{ORDER_ID}}' } },
  registerWebhook: { keeps: { WEBHOOK_ID: 'webhook_id' } },
  deleteWebhook: { parameters: { webhook_id: '{{WEBHOOK_ID}}' } },
  listWebhookDeliveries: { parameters: { webhook_id: '{{WEBHOOK_ID}}' } },
  // So that the orders of the two triggers below are still pending, however slowly a reader sends the calls.
  setVendorOutcome: { body: { outcome: 'deliver', reason: undefined, delay_seconds: 3600 } },
  triggerStatusUpdate: { body: { redeemCode: '{{REDEEM_CODE}}' } },
  triggerTimeout: { body: { redeemCode: '{{REDEEM_CODE}}' } },
  // Only of a redemption that is still pending.
  triggerVendorOutcome: { body: { redeemCode: '{{REDEEM_CODE}}' }, before: ['createRedemptionOrder'] },
  triggerCancellation: { body: { redeemCode: '{{REDEEM_CODE}}' }, before: ['createRedemptionOrder'] },
  // Neither the customer nor an item nor a call that a later order needs.
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
  // The address of the example is one that nobody answers at, so what goes there stays to be delivered.
  listDeliveries: { keeps: { DELIVERY_ID: 'items[0]?.id' } },
  replayDelivery: { parameters: { id: '{{DELIVERY_ID}}' } },
  login: { body: { password: '{{GENERAL_PASSWORD}}' }, keeps: { ACCESS_TOKEN: 'access_token' } },
};
