import { expect } from 'vitest';
import { credit, redemption, report } from '../harness/client-requests.ts';
import { flat, mandatory } from '../harness/envelopes.ts';
import { logIn, raw, type TestSandbox } from '../harness/sandbox.ts';

/** Builds the flat refusal of a request part. */
export const invalid = (where: string) => flat(400, 53, expect.stringContaining(`Invalid request: ${where} `));

/** An operation with a body: a valid body, and the text fields that contain amounts or numbers. */
function operation(
  path: string,
  good: Readonly<Record<string, unknown>>,
  amounts: string[] = [],
  numbers: string[] = [],
) {
  return { path, good, amounts, numbers, bad: path.startsWith('/client') ? () => mandatory : invalid };
}

export const payment = {
  uid: 'CUST0001',
  eventType: 'DIGITAL_PAYMENT',
  transactionId: 'TXN-1',
  paymentAmount: '100',
} as const;
const points = ['redeemPoints', 'processingFee', 'totalpoints', 'totalPointWithProcessingFee'];
const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
const customer_id = 'CUST0001';
const reversal = { redeem_code: 'RDM-1', points: 500 };

/** Operations with a body, each with the reply to an invalid one. */
export const operations = [
  operation('/client/creditPoints', credit, ['paymentAmount'], ['points']),
  operation('/client/saveRedeemDetails', redemption, [], [...points, 'quantity', 'tdsSingleItem']),
  operation('/client/updateRedeemStatus', report('Rejected')),
  operation('/client/api/v1/auth/generate-otp', { customer_id }),
  operation('/client/api/v1/auth/verify-otp', { customer_id, otp: '123456', reference_id: 'OTP-1' }, [], ['otp']),
  operation('/rewards/v1/company/auth', { secret: 'x' }),
  operation('/rewards/v1/customer/auth', { uid: 'CUST0001', token: 'x' }),
  operation('/rewards/v1/partner/redeemptiononskus', { uid: 'CUST0001', line_items }),
  operation('/rewards/v1/partner/events/payment', payment, ['paymentAmount']),
  operation('/rewards/v1/partner/webhooks', { url: 'https://client.invalid/' }),
  operation(
    '/sandbox/v1/catalogue',
    { sku_code: 'EGV-NEW', product_type: 'EGV' },
    ['denomination_value'],
    ['qty_trigger_limit', 'qty'],
  ),
  operation('/rewards/api/v1/orders', { customer_id, line_items }),
  operation('/client/api/v1/orders/redeem', { customer_id, order_id: 'ORD-1', ...reversal }),
  operation('/client/api/v1/orders/reverse', { ...reversal, reason: '' }),
  operation('/general/v1/auth/login', { username: 'CUST0001', password: 'x' }),
  operation('/gateway/v1/messages', { channel: 'sms', to: '5000000007', text: 'Hello.' }, [], ['to']),
  operation('/general/v1/orders', { line_items }),
];

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
