/** Checks which requests the typed clients reject, and how they type replies. Nothing here runs, because tsc is the test. */
import {
  type AuthClient,
  type ClientClient,
  createRewardsClient,
  type RewardsClient,
  type SandboxClient,
} from '../../generated/index.ts';

export async function rewards(client: RewardsClient): Promise<unknown[]> {
  await client.GET('/v1/partner/rewards', { params: { query: { type: 'egv', limit: 10 } } });
  const order = { uid: 'CUST0001', line_items: [{ sku: 'EGV-1', quantity: 1 }] };
  const { data, error } = await client.POST('/v1/partner/redeemptiononskus', {
    body: { ...order, email: 'a@example.com', mobile_no: '5000000007', reference_id: 'A1' },
  });
  return [
    data?.order_id.length,
    error?.code.toFixed(),
    // @ts-expect-error no such path
    client.GET('/v1/partner/reward'),
    // @ts-expect-error the path has another method
    client.POST('/v1/partner/rewards'),
    // @ts-expect-error no such type of product
    client.GET('/v1/partner/rewards', { params: { query: { type: 'voucher' } } }),
    // @ts-expect-error limit is a number
    client.GET('/v1/partner/rewards', { params: { query: { limit: '10' } } }),
    // @ts-expect-error uid is required
    client.GET('/getwalletdetail', {}),
    // @ts-expect-error the secret is required
    client.POST('/v1/company/auth', { body: {} }),
    // @ts-expect-error a quantity is a number
    client.POST('/v1/partner/redeemptiononskus', { body: { ...order, line_items: [{ sku: 'A', quantity: '1' }] } }),
    // @ts-expect-error each line has its own redemption code
    data?.redeemCode,
    // @ts-expect-error an order is Pending, Delivered or Rejected
    data?.status === 'pending',
    // @ts-expect-error the flat envelope has no data
    error?.data,
  ];
}

export async function client(client: ClientClient): Promise<unknown[]> {
  const { data, error } = await client.POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } });
  const [status, paid] = ['Delivered', { transactionId: 'T', paymentAmount: '1', points: '1' }] as const;
  const update = { redeemCode: 'R1', status, orderStatus: status, remark: '', projectCode: 'P' };
  const credit = { uid: 'A', eventType: 'DIGITAL_PAYMENT', ...paid } as const;
  await client.POST('/updateRedeemStatus', { body: update });
  await client.POST('/creditPoints', { body: credit });
  return [
    data?.points.balance.toFixed(),
    error?.data.message.length,
    // @ts-expect-error points are numbers here
    data?.points.balance.length,
    // @ts-expect-error uid travels in the query
    client.POST('/getProfileAndPoints', { body: { uid: 'CUST0001' } }),
    // @ts-expect-error the operation is a POST
    client.GET('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } }),
    // @ts-expect-error statuses are capitalised
    client.POST('/updateRedeemStatus', { body: { ...update, status: 'delivered' } }),
    // @ts-expect-error all values are text
    client.POST('/creditPoints', { body: { ...credit, points: 1 } }),
  ];
}

export function auth(client: AuthClient): unknown[] {
  return [
    client.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }),
    // @ts-expect-error the customer is required
    client.POST('/api/v1/auth/generate-otp', { body: {} }),
    // @ts-expect-error a reference is required
    client.POST('/api/v1/auth/verify-otp', { body: { customer_id: 'CUST0001', otp: '123456' } }),
  ];
}

export function control(client: SandboxClient): unknown[] {
  return [
    client.GET('/ledger/{uid}', { params: { path: { uid: 'CUST0001' } } }),
    // @ts-expect-error the path needs its uid
    client.GET('/ledger/{uid}', {}),
    // @ts-expect-error the path is a template
    client.GET('/ledger/CUST0001'),
    // @ts-expect-error on_timeout is wait or reverse
    client.PATCH('/workspace', { body: { settings: { on_timeout: 'refund' } } }),
    // @ts-expect-error seconds, not a duration
    client.POST('/clock/advance', { body: { seconds: '5 min' } }),
  ];
}

export const clients = [
  createRewardsClient({ baseUrl: 'https://example.com', token: async () => 'token' }),
  // @ts-expect-error an address is required
  createRewardsClient({ token: 'token' }),
  // @ts-expect-error basic is a pair
  createRewardsClient({ baseUrl: 'https://example.com', basic: 'user:password' }),
];
