/** Records the sandbox itself, both as a HAR of its callers' traffic and as its own log. */
import { har } from '../harness/captures.ts';
import { clientsOf, ok, testSandbox } from '../harness/sandbox.ts';

/** Provides a `fetch` that records calls as HAR entries. */
function recorder() {
  const entries: unknown[] = [];
  const { fetch } = globalThis;
  const list = (headers: Headers) => [...headers].map(([name, value]) => ({ name, value }));
  const record: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const sent = await request.clone().text();
    const response = await fetch(request);
    const text = await response.clone().text();
    const { method, url } = request;
    const postData = sent === '' ? {} : { postData: { mimeType: 'application/json', text: sent } };
    entries.push({
      request: { method, url, headers: list(request.headers), bodySize: sent.length, ...postData },
      response: { status: response.status, headers: list(response.headers), content: { size: text.length, text } },
    });
    return response;
  };
  return { entries, record };
}

/** Records sign-ins, listings, orders, wallets, points in both API versions, and refused calls. */
export async function recordSandbox(): Promise<{ readonly har: string; readonly log: string }> {
  const { workspace } = await testSandbox();
  const { entries, record } = recorder();
  const { fetch } = globalThis;
  globalThis.fetch = record;
  try {
    const clients = clientsOf(workspace);
    for (const uid of ['CUST0001', 'CUST0002']) await journey(clients, uid);
    const { items } = ok(await clients.control.GET('/activity', { params: { query: { limit: 200 } } }));
    return { har: har(entries), log: JSON.stringify({ items }) };
  } finally {
    globalThis.fetch = fetch;
  }
}

async function journey(clients: ReturnType<typeof clientsOf>, uid: string): Promise<void> {
  const { credentials, control } = clients;
  const later = () => control.POST('/clock/advance', { body: { seconds: 5 } });
  const body = { secret: credentials.company_secret };
  const company = ok(await clients.rewards().POST('/v1/company/auth', { body })).token;
  await clients.rewards().POST('/v1/company/auth', { body: { secret: 'wrong' } });
  const rewards = clients.rewards(company);
  const list = (query: { limit?: number; cursor?: string; type?: 'egv' | 'physical' }, as = rewards) =>
    as.GET('/v1/partner/rewards', { params: { query } });
  const { next_cursor } = ok(await list({ limit: 2 }));
  await list({ limit: 2, cursor: next_cursor ?? '' });
  await list({ type: 'physical' });
  await list({ cursor: 'made-up' });
  await list({}, clients.rewards('forged'));
  const jwt = await signIn(clients, uid);
  const session = ok(await rewards.POST('/v1/customer/auth', { body: { uid, token: jwt } })).token;
  await rewards.POST('/v1/customer/auth', { body: { uid, token: 'forged' } });
  const order = (sku: string) =>
    clients.rewards(session).POST('/v1/partner/redeemptiononskus', {
      body: { uid, line_items: [{ sku, quantity: 1 }], shipping_address: '12 Lake View Road' },
    });
  await order('EGV-SPICE-500');
  await order('PHY-KETTLE-01');
  await order('NONE');
  await later();
  const authorization = `Bearer ${session}`;
  await clients.rewards().GET('/getwalletdetail', { params: { query: { uid } }, headers: { authorization } });
  const payment = { uid, eventType: 'DIGITAL_PAYMENT', transactionId: `UPI-${uid}`, paymentAmount: '500' } as const;
  await rewards.POST('/v1/partner/events/payment', { body: payment });
  await later();
  await clients.v2Platform(company).GET('/api/v1/catalog');
  const v2 = { customer_id: uid, line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }], shipping_address: 'Here' };
  const { data: placed } = await clients.v2Platform(jwt).POST('/api/v1/orders', { body: v2 });
  for (const order_id of [placed?.order_id ?? '', 'NONE'])
    await clients.v2Platform(company).GET('/api/v1/orders/status', { params: { query: { order_id } } });
  await clients.v2Client().GET('/api/v1/customer/points', { params: { query: { customer_id: uid } } });
  for (const token of [credentials.service_token, 'forged'])
    await clients.client(token).POST('/getProfileAndPoints', { params: { query: { uid } } });
  await clients.client().POST('/creditPoints', { body: { ...payment, transactionId: `UPI-2-${uid}`, points: '5' } });
  const login = (password: string) => clients.general().POST('/v1/auth/login', { body: { username: uid, password } });
  await login('wrong');
  const general = clients.general(ok(await login(credentials.general.password)).access_token);
  await general.GET('/v1/users/profile');
  await general.GET('/v1/products', { params: { query: { page: 1, limit: 5 } } });
  await general.POST('/v1/orders', { body: { line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] } });
}

/** Signs in with the one-time password, after a wrong one. */
async function signIn({ auth, control }: ReturnType<typeof clientsOf>, uid: string): Promise<string> {
  const { reference_id } = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }));
  const { items } = ok(await control.GET('/messages', { params: { query: { uid } } }));
  const verify = (otp: string) =>
    auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: uid, otp, reference_id } });
  await verify('000000');
  return ok(await verify(items[0]?.otp ?? '')).token;
}
