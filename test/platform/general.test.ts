/** Tests the general API: login, profile and orders (F1, F2, F4; OP-03, OP-20, OP-28, OP-30, OP-53). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, plain, refusal, wrapped } from '../harness/envelopes.ts';
import { kettle, voucher } from '../harness/orders.ts';
import { logIn, ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, eventsOf, refusing } from '../harness/state.ts';

const wrong = flat(401, 40, 'Invalid username or password');
const unauthorized = flat(401, 40, 'Missing or invalid token');
const silent = flat(502, 57, 'No usable response from the client');

it('F1: OP-53: any customer logs in with the password of the workspace, for an hour of sandbox time', async () => {
  const sandbox = await testSandbox();
  const body = { username: 'CUST0005', password: sandbox.credentials.general.password };
  const { access_token, ...rest } = ok(await sandbox.general().POST('/v1/auth/login', { body }));
  expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600 });
  const profile = () => sandbox.general(access_token).GET('/v1/users/profile');
  await sandbox.control.POST('/clock/advance', { body: { seconds: 3599 } });
  ok(await profile());
  await sandbox.control.POST('/clock/advance', { body: { seconds: 1 } });
  expect(refusal(await profile())).toEqual(unauthorized);
});

it('OP-28: an unknown name and a wrong password get the same answer; a silent client leads to code 57', async () => {
  const sandbox = await testSandbox();
  const { password } = sandbox.credentials.general;
  const login = (username: string, given: string) =>
    sandbox.general().POST('/v1/auth/login', { body: { username, password: given } });
  expect(refusal(await login('CUST9999', password))).toEqual(wrong);
  expect(refusal(await login('__proto__', password))).toEqual(wrong);
  expect(refusal(await login('CUST0001', `${password}x`))).toEqual(wrong);
  expect(refusal(await login('CUST0001', sandbox.credentials.basic.password))).toEqual(wrong);
  const empty = flat(400, 53, 'Invalid request: /username must not be empty');
  expect(refusal(await login('', password))).toEqual(empty);
  await stubClient(sandbox, () => 'drop');
  expect(refusal(await login('CUST0001', password))).toEqual(silent);
});

it('T3: the token is of its own kind, needs Bearer, and gives access to nothing else', async () => {
  const sandbox = await testSandbox();
  const { jwt, companyToken, customerToken } = await signIn(sandbox, 'CUST0001');
  const token = await logIn(sandbox, 'CUST0001');
  const profile = `${sandbox.urls.general}/v1/users/profile`;
  const get = async (url: string, authorization: string) => plain(await raw(url, { headers: { authorization } }));
  for (const other of [jwt, companyToken, customerToken, sandbox.credentials.service_token, 'nobody']) {
    expect(await get(profile, `Bearer ${other}`)).toEqual(unauthorized);
  }
  expect(await get(profile, token)).toEqual(unauthorized);
  expect(await get(`${sandbox.urls.rewards}/v1/partner/rewards`, token)).toEqual(unauthorized);
  expect(await get(`${sandbox.urls.rewards}/api/v1/catalog`, `Bearer ${token}`)).toEqual(unauthorized);
});

it("G3, F2: OP-28: getUserProfile returns the client's data, requested with the service token", async () => {
  const sandbox = await testSandbox();
  const general = sandbox.general(await logIn(sandbox, 'CUST0005'));
  const { items } = ok(await sandbox.control.GET('/customers'));
  const { profile, points } = items.find(({ uid }) => uid === 'CUST0005') ?? {};
  const clientCalls = await stubClient(sandbox, ({ times }) =>
    times === 1 ? 'pass' : times === 2 ? wrapped(422, 'Unknown customer.') : 'drop',
  );
  expect(ok(await general.GET('/v1/users/profile'))).toEqual({ profile, points });
  expect(clientCalls[0]?.authorization).toBe(`Bearer ${sandbox.credentials.service_token}`);
  const refused = flat(422, 56, 'Refused by the client: Unknown customer.');
  expect(refusal(await general.GET('/v1/users/profile'))).toEqual(refused);
  expect(refusal(await general.GET('/v1/users/profile'))).toEqual(silent);
});

it("F4: createProductOrder places the same order as the rewards API, for the token's own customer", async () => {
  const sandbox = await testSandbox();
  const general = sandbox.general(await logIn(sandbox, 'CUST0001'));
  const line_items = [{ ...voucher, quantity: 2 }, kettle];
  const body = { line_items, shipping_address: '12 Lake View Road', reference_id: 'CART-1' };
  const placed = ok(await general.POST('/v1/orders', { body }));
  const company = sandbox.rewards(await sandbox.companyToken());
  const v1 = ok(
    await company.POST('/v1/partner/redeemptiononskus', { body: { uid: 'CUST0005', ...body, reference_id: 'CART-2' } }),
  );
  const without = (order: typeof placed) => ({
    ...order,
    order_id: '',
    reference_id: '',
    lines: order.lines.map((line) => ({ ...line, redeemCode: '' })),
  });
  expect(without(placed)).toEqual(without(v1));
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000 - 2548);
});

it('OP-28: each refusal of an order is the same as in the rewards API, and no order is placed', async () => {
  const sandbox = await testSandbox();
  const general = sandbox.general(await logIn(sandbox, 'CUST0003'));
  const refused = await refusing(sandbox);
  const cases = [
    [[voucher], flat(422, 54, 'Insufficient balance: 500 points needed, 100 available')],
    [[{ sku: 'EGV-NO', quantity: 1 }], flat(422, 55, 'Product not available: EGV-NO')],
    [[kettle], flat(400, 53, 'Invalid request: /shipping_address is required for a PHYSICAL item')],
    [[], flat(400, 53, 'Invalid request: /line_items must have at least 1 item')],
  ] as const;
  for (const [lines, expected] of cases) {
    const body = { line_items: [...lines] };
    expect(refusal(await refused(general.POST('/v1/orders', { body })))).toEqual(expected);
  }
  const rich = sandbox.general(await logIn(sandbox, 'CUST0001'));
  await stubClient(sandbox, ({ operation }) =>
    operation === 'saveRedeemDetails' ? wrapped(422, 'Not this one.') : 'pass',
  );
  const order = { body: { line_items: [voucher] } };
  const no = flat(422, 56, 'Refused by the client: Not this one.');
  expect(refusal(await rich.POST('/v1/orders', order))).toEqual(no);
  await stubClient(sandbox, () => 'drop');
  expect(refusal(await rich.POST('/v1/orders', order))).toEqual(silent);
});

it("OP-30: calls use the company's hourly quota; a login counts if its password is right", async () => {
  const sandbox = await testSandbox();
  const token = await logIn(sandbox, 'CUST0001');
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 3 } } }));
  const guess = { body: { username: 'CUST0001', password: 'guess' } };
  for (let tries = 0; tries < 5; tries += 1) await sandbox.general().POST('/v1/auth/login', guess);
  const listed = await sandbox.general(token).GET('/v1/products');
  expect(listed.response.headers.get('ratelimit')).toBe('"hour";r=1;t=3600');
  expect(listed.response.headers.get('ratelimit-policy')).toBe('"hour";q=3;w=3600');
  ok(await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards'));
  const over = flat(429, 59, 'Rate limit exceeded');
  expect(refusal(await sandbox.general(token).GET('/v1/products'))).toEqual(over);
  const right = { body: { ...guess.body, password: sandbox.credentials.general.password } };
  expect(refusal(await sandbox.general().POST('/v1/auth/login', right))).toEqual(over);
});

it.each([
  ['version 1.0', '/rewards/v1/partner/redeemptiononskus', { uid: 'CUST0001' }],
  ['version 2.0', '/rewards/api/v1/orders', { customer_id: 'CUST0001' }],
  ['the general API', '/general/v1/orders', {}],
])(
  'OP-20: through %s a repeated key gets the first reply byte for byte, and another body leads to code 58',
  async (...call) => {
    const [, path, whom] = call;
    const sandbox = await testSandbox();
    const general = path.startsWith('/general');
    const token = general ? await logIn(sandbox, 'CUST0001') : await sandbox.companyToken();
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'cart-1',
    };
    const send = async (quantity: number) => {
      const body = JSON.stringify({ ...whom, line_items: [{ ...voucher, quantity }] });
      const response = await fetch(`${sandbox.origin}${path}`, { method: 'POST', headers, body });
      const replayed = response.headers.get('idempotent-replayed');
      return { status: response.status, text: await response.text(), replayed };
    };
    const [first, second] = (await Promise.all([send(1), send(1)])).sort((a) => (a.replayed === null ? -1 : 1));
    expect(first).toMatchObject({ status: 200, replayed: null });
    expect(second).toEqual({ ...first, replayed: 'true' });
    expect(await send(1)).toEqual(second);
    const { status, text } = await send(2);
    expect({ status, body: JSON.parse(text) }).toEqual(flat(409, 58, 'Idempotency-Key was used with another body'));
    expect(await eventsOf(sandbox)).toMatchObject({ 'order.placed': 1, 'redemption.deducted': 1 });
  },
);

it("OP-20: a key of one user does not return another's reply", async () => {
  const sandbox = await testSandbox();
  const params = { header: { 'Idempotency-Key': 'cart-1' } };
  const orders = [];
  for (const uid of ['CUST0001', 'CUST0005']) {
    const general = sandbox.general(await logIn(sandbox, uid));
    orders.push(ok(await general.POST('/v1/orders', { params, body: { line_items: [voucher] } })).order_id);
  }
  expect(new Set(orders).size).toBe(2);
});
