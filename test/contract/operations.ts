import { expect } from 'vitest';
import { credit, redemption, report } from '../harness/client-requests.ts';
import { flat, mandatory } from '../harness/envelopes.ts';
import { logIn, raw, type TestSandbox } from '../harness/sandbox.ts';

/** Builds the flat refusal of a request part. */
export const invalid = (where: string) => flat(400, 53, expect.stringContaining(`Invalid request: ${where} `));

const line = { sku: 'EGV-SPICE-500', quantity: 1 };

/** Operations with a body, each with a valid body, the reply to an invalid body, and the numeric text fields. */
export const operations = [
  { path: '/client/creditPoints', good: credit, bad: () => mandatory, amounts: ['paymentAmount'], numbers: ['points'] },
  {
    path: '/client/saveRedeemDetails',
    good: redemption,
    bad: () => mandatory,
    amounts: [],
    numbers: [
      'redeemPoints',
      'processingFee',
      'quantity',
      'totalpoints',
      'totalPointWithProcessingFee',
      'tdsSingleItem',
    ],
  },
  { path: '/client/updateRedeemStatus', good: report('Rejected'), bad: () => mandatory, amounts: [], numbers: [] },
  {
    path: '/client/api/v1/auth/generate-otp',
    good: { customer_id: 'CUST0001' },
    bad: () => mandatory,
    amounts: [],
    numbers: [],
  },
  {
    path: '/client/api/v1/auth/verify-otp',
    good: { customer_id: 'CUST0001', otp: '123456', reference_id: 'OTP-1' },
    bad: () => mandatory,
    amounts: [],
    numbers: ['otp'],
  },
  { path: '/rewards/v1/company/auth', good: { secret: 'x' }, bad: invalid, amounts: [], numbers: [] },
  {
    path: '/rewards/v1/customer/auth',
    good: { uid: 'CUST0001', token: 'x' },
    bad: invalid,
    amounts: [],
    numbers: [],
  },
  {
    path: '/rewards/v1/partner/redeemptiononskus',
    good: { uid: 'CUST0001', line_items: [line] },
    bad: invalid,
    amounts: [],
    numbers: [],
  },
  {
    path: '/rewards/v1/partner/events/payment',
    good: { uid: 'CUST0001', eventType: 'DIGITAL_PAYMENT', transactionId: 'TXN-1', paymentAmount: '100' },
    bad: invalid,
    amounts: ['paymentAmount'],
    numbers: [],
  },
  {
    path: '/rewards/v1/partner/webhooks',
    good: { url: 'https://client.invalid/' },
    bad: invalid,
    amounts: [],
    numbers: [],
  },
  {
    path: '/sandbox/v1/catalogue',
    good: { sku_code: 'EGV-NEW', product_type: 'EGV' },
    bad: invalid,
    amounts: ['denomination_value'],
    numbers: ['qty_trigger_limit', 'qty'],
  },
  {
    path: '/rewards/api/v1/orders',
    good: { customer_id: 'CUST0001', line_items: [line] },
    bad: invalid,
    amounts: [],
    numbers: [],
  },
  {
    path: '/client/api/v1/orders/redeem',
    good: { customer_id: 'CUST0001', order_id: 'ORD-1', redeem_code: 'RDM-1', points: 500 },
    bad: () => mandatory,
    amounts: [],
    numbers: [],
  },
  {
    path: '/client/api/v1/orders/reverse',
    good: { redeem_code: 'RDM-1', points: 500, reason: '' },
    bad: () => mandatory,
    amounts: [],
    numbers: [],
  },
  {
    path: '/general/v1/auth/login',
    good: { username: 'CUST0001', password: 'x' },
    bad: invalid,
    amounts: [],
    numbers: [],
  },
  {
    path: '/gateway/v1/messages',
    good: { channel: 'sms', to: '5000000007', text: 'Hello.' },
    bad: invalid,
    amounts: [],
    numbers: ['to'],
  },
  { path: '/general/v1/orders', good: { line_items: [line] }, bad: invalid, amounts: [], numbers: [] },
] as const;

/** Sends a body unchanged to an operation, with credentials that the operation accepts. */
export async function post(sandbox: TestSandbox, path: string, body: BodyInit, type = 'application/json') {
  const { basic, service_token, gateway_token } = sandbox.credentials;
  const authorization = path.startsWith('/general')
    ? `Bearer ${await logIn(sandbox, 'CUST0001')}`
    : path.startsWith('/gateway')
      ? `Bearer ${gateway_token}`
      : path.startsWith('/rewards')
        ? await sandbox.companyToken()
        : path.includes('/auth/')
          ? `Basic ${btoa(`${basic.username}:${basic.password}`)}`
          : `Bearer ${path.startsWith('/sandbox') ? sandbox.workspace.admin_token : service_token}`;
  return raw(`${sandbox.origin}${path}`, { method: 'POST', headers: { authorization, 'content-type': type }, body });
}
