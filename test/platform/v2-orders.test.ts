/** Tests orders in the platform's version 2.0 operations (E4 to E6; OP-06, OP-13, OP-17, OP-24, OP-29, OP-45, OP-52). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, notFound, plain, refusal } from '../harness/envelopes.ts';
import { advance, kettle, order, vendorWill, voucher } from '../harness/orders.ts';
import { ok, raw, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, eventsOf, ledgerOf, refusing } from '../harness/state.ts';

const redeem = 'api/v1/orders/redeem';
const reverse = 'api/v1/orders/reverse';
const unnamed = flat(400, 53, 'Invalid request: order_id or redeem_code is required');

/** Places an order with a token. By default, uses the company's token and orders one voucher of 500 points. */
async function place(sandbox: TestSandbox, body: object = {}, token?: string) {
  const v2 = sandbox.v2Platform(token ?? (await sandbox.companyToken()));
  return v2.POST('/api/v1/orders', { body: { customer_id: 'CUST0001', line_items: [voucher], ...body } });
}

async function statusOf(sandbox: TestSandbox, query: { order_id?: string; redeem_code?: string }, token?: string) {
  const v2 = sandbox.v2Platform(token ?? (await sandbox.companyToken()));
  return v2.GET('/api/v1/orders/status', { params: { query } });
}

it('E4: OP-29: listCatalog lists page by page what listRewards lists, and one cursor serves both', async () => {
  const sandbox = await testSandbox();
  const token = await sandbox.companyToken();
  const [v2, v1] = [sandbox.v2Platform(token), sandbox.rewards(token)];
  const query = { type: 'egv', limit: 7 } as const;
  const first = ok(await v2.GET('/api/v1/catalog', { params: { query } }));
  expect(first.items).toEqual(ok(await v1.GET('/v1/partner/rewards', { params: { query } })).items);
  const next = { params: { query: { ...query, cursor: first.next_cursor ?? '' } } };
  const second = ok(await v2.GET('/api/v1/catalog', next));
  expect(second.items.map(({ id }) => id)).toEqual([8, 9, 10, 11, 12, 13, 14]);
  expect(ok(await v1.GET('/v1/partner/rewards', next)).items).toEqual(second.items);
});

it.each([
  ['type=voucher', flat(400, 50, 'Invalid type filter value')],
  ['cursor=x', flat(400, 51, 'Invalid or expired cursor')],
  ['limit=201', flat(400, 52, 'Invalid limit')],
])('listCatalog?%s is refused as in listRewards', async (query, expected) => {
  const sandbox = await testSandbox();
  const headers = { authorization: await sandbox.companyToken() };
  expect(plain(await raw(`${sandbox.urls.rewards}/api/v1/catalog?${query}`, { headers }))).toEqual(expected);
});

it('E5: OP-29: an order is the same as in version 1.0, and the client gets only calls of version 2.0', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const body = { line_items: [{ ...voucher, quantity: 2 }, kettle], shipping_address: 'A', email: 'a@example.com' };
  const placed = ok(await place(sandbox, body));
  const [first, second] = placed.lines.map(({ redeemCode }) => redeemCode);
  const { order_id } = placed;
  const v1 = ok(await order(sandbox, { uid: 'CUST0005', line_items: body.line_items, shipping_address: 'A' }));
  expect({ ...placed, lines: [] }).toEqual({ ...v1, order_id, lines: [] });
  expect(placed.lines).toEqual(v1.lines.map((line, index) => ({ ...line, redeemCode: [first, second][index] })));
  expect(clientCalls.slice(0, 3).map(({ operation, body }) => [operation, body])).toEqual([
    ['api/v1/customer/points', {}],
    [redeem, { customer_id: 'CUST0001', order_id, redeem_code: first, points: 1000 }],
    [redeem, { customer_id: 'CUST0001', order_id, redeem_code: second, points: 1548 }],
  ]);
  expect(clientCalls.slice(3).map(({ operation }) => operation)).toEqual([
    'getProfileAndPoints',
    'saveRedeemDetails',
    'saveRedeemDetails',
  ]);
});

it("OP-17: the platform sends a customer's order with the JWT, and its reversal with the service token", async () => {
  const sandbox = await testSandbox();
  const { jwt, customerToken } = await signIn(sandbox, 'CUST0001');
  const clientCalls = await stubClient(sandbox, () => 'pass');
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Not today' });
  const placed = ok(await place(sandbox, {}, customerToken));
  await advance(sandbox, 2);
  const service = `Bearer ${sandbox.credentials.service_token}`;
  expect(clientCalls.map(({ operation, authorization }) => [operation, authorization])).toEqual([
    ['api/v1/customer/points', `Bearer ${jwt}`],
    [redeem, `Bearer ${jwt}`],
    [reverse, service],
  ]);
  const redeem_code = placed.lines[0]?.redeemCode;
  expect(clientCalls[2]?.body).toEqual({ redeem_code, points: 500, reason: 'Not today' });
});

it('each refusal of an order is the same as in version 1.0, and no order is placed', async () => {
  const sandbox = await testSandbox();
  const { customerToken } = await signIn(sandbox, 'CUST0005');
  const refused = await refusing(sandbox);
  const cases = [
    [{ customer_id: 'CUST0003' }, flat(422, 54, 'Insufficient balance: 500 points needed, 100 available')],
    [{ line_items: [{ sku: 'EGV-NO', quantity: 1 }] }, flat(422, 55, 'Product not available: EGV-NO')],
    [{ customer_id: 'CUST9999' }, flat(422, 56, 'Refused by the client: Unknown customer.')],
    [{ line_items: [kettle] }, flat(400, 53, 'Invalid request: /shipping_address is required for a PHYSICAL item')],
    [{ customer_id: '' }, flat(400, 53, 'Invalid request: /customer_id must not be empty')],
  ] as const;
  for (const [body, expected] of cases) expect(refusal(await refused(place(sandbox, body)))).toEqual(expected);
  const foreign = flat(400, 53, "Invalid request: /customer_id must be the session's own customer");
  expect(refusal(await refused(place(sandbox, {}, customerToken)))).toEqual(foreign);
  expect(refusal(await refused(place(sandbox, {}, 'nobody')))).toEqual(flat(401, 40, 'Missing or invalid token'));
});

it('OP-24: redeem is tried three times, and a line without an answer is reversed', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, ({ operation }) => (operation === redeem ? 'lose' : 'pass'));
  expect(refusal(await place(sandbox))).toEqual(flat(502, 57, 'No usable response from the client'));
  const saved = clientCalls.filter(({ operation }) => operation === redeem);
  expect(saved).toHaveLength(3);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(24_500);
  await advance(sandbox, 0);
  const redeem_code = saved[0]?.body.redeem_code;
  expect(clientCalls.at(-1)).toMatchObject({
    operation: reverse,
    body: { redeem_code, points: 500, reason: 'No usable response from the client' },
  });
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
  expect(await eventsOf(sandbox)).not.toHaveProperty('order.placed');
  const status = await statusOf(sandbox, { redeem_code: String(redeem_code) });
  expect(refusal(status)).toEqual(notFound(`Redemption ${redeem_code}`));
});

it('OP-24: a reversal is sent until it is acknowledged; a failure or a redirect does not acknowledge it', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Not today' });
  const clientCalls = await stubClient(sandbox, ({ operation, times }) =>
    operation === reverse && times < 3 ? { status: times === 1 ? 503 : 302, body: {} } : 'pass',
  );
  ok(await place(sandbox));
  const counts: number[] = [];
  for (const seconds of [2, 5, 300, 1800]) {
    await advance(sandbox, seconds);
    counts.push(clientCalls.filter(({ operation }) => operation === reverse).length);
  }
  expect(counts).toEqual([1, 2, 3, 3]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
});

it('OP-102: a reversal that is acknowledged in another form is not sent again', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome: 'reject', reason: 'Not today' });
  const yes = { status: 200, body: { success: true, status: 200 } };
  const clientCalls = await stubClient(sandbox, ({ operation }) => (operation === reverse ? yes : 'pass'));
  ok(await place(sandbox));
  await advance(sandbox, 86_400);
  expect(clientCalls.filter(({ operation }) => operation === reverse)).toHaveLength(1);
});

it('OP-29: the reversal of a shipped product states all deducted points, including fee and TDS', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { tds_percent: 10 } } }));
  await vendorWill(sandbox, kettle.sku, { outcome: 'reject', reason: 'Not today' });
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const { lines } = ok(await place(sandbox, { line_items: [kettle], shipping_address: 'A' }));
  await advance(sandbox, 2);
  const redeem_code = lines[0]?.redeemCode;
  expect(clientCalls.slice(1).map(({ operation, body }) => [operation, body.redeem_code, body.points])).toEqual([
    [redeem, redeem_code, 1499 + 150 + 49],
    [reverse, redeem_code, 1499 + 150 + 49],
  ]);
  expect(await balanceOf(sandbox, 'CUST0001')).toBe(25_000);
});

it('OP-52: the client gets no report of a delivery; it reads the final status of the order and sends the voucher', async () => {
  const sandbox = await testSandbox();
  await vendorWill(sandbox, voucher.sku, { outcome: 'deliver', delay_seconds: 60 });
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const placed = ok(await place(sandbox));
  const labels: (string | undefined)[] = [];
  for (const seconds of [5, 55, 245]) {
    await advance(sandbox, seconds);
    labels.push((await ledgerOf(sandbox, 'CUST0001')).entries[1]?.label);
  }
  expect(labels).toEqual(['Pending', 'Pending', 'Redeemed']);
  expect(clientCalls.map(({ operation }) => operation)).toEqual(['api/v1/customer/points', redeem]);
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid: 'CUST0001' } } }));
  expect(items.map(({ kind }) => kind)).toEqual(['voucher']);
  const redeem_code = placed.lines[0]?.redeemCode ?? '';
  expect(ok(await statusOf(sandbox, { redeem_code })).status).toBe('Delivered');
});

it('E6: OP-29: getOrderStatus finds an order by its id and by the code of any line, from every API', async () => {
  const sandbox = await testSandbox();
  const line_items = [voucher, { sku: 'EGV-CHAI-250', quantity: 1 }];
  for (const placed of [ok(await place(sandbox, { line_items })), ok(await order(sandbox, { line_items }))]) {
    const { order_id, lines } = placed;
    expect(ok(await statusOf(sandbox, { order_id }))).toEqual(placed);
    for (const { redeemCode: redeem_code } of lines) {
      expect(ok(await statusOf(sandbox, { redeem_code }))).toEqual(placed);
    }
  }
});

it('OP-29: getOrderStatus requires the id or a code, and finds no order of another customer', async () => {
  const sandbox = await testSandbox();
  const { customerToken } = await signIn(sandbox, 'CUST0005');
  const [own, other] = [ok(await place(sandbox, { customer_id: 'CUST0005' })), ok(await place(sandbox))];
  const redeem_code = other.lines[0]?.redeemCode ?? '';
  expect(ok(await statusOf(sandbox, { order_id: own.order_id }, customerToken))).toEqual(own);
  expect(refusal(await statusOf(sandbox, { order_id: other.order_id }, customerToken))).toEqual(
    notFound(`Order ${other.order_id}`),
  );
  expect(refusal(await statusOf(sandbox, { redeem_code }, customerToken))).toEqual(
    notFound(`Redemption ${redeem_code}`),
  );
  expect(refusal(await statusOf(sandbox, { order_id: '__proto__' }))).toEqual(notFound('Order __proto__'));
  expect(refusal(await statusOf(sandbox, {}))).toEqual(unnamed);
});

it('OP-139: the id and a code must belong to the same order, otherwise none is found', async () => {
  const sandbox = await testSandbox();
  const own = ok(await place(sandbox, { line_items: [voucher, voucher] }));
  const other = ok(await place(sandbox));
  const { order_id } = own;
  for (const { redeemCode: redeem_code } of own.lines) {
    expect(ok(await statusOf(sandbox, { order_id, redeem_code }))).toEqual(own);
  }
  for (const redeem_code of [other.lines[0]?.redeemCode ?? '', 'RDM-NONE', '__proto__']) {
    expect(refusal(await statusOf(sandbox, { order_id, redeem_code }))).toEqual(
      notFound(`Order ${order_id} with redemption ${redeem_code}`),
    );
  }
});

it('OP-31, OP-30: allowlist and quota are shared with the rewards API', async () => {
  const sandbox = await testSandbox();
  const token = await sandbox.companyToken();
  const paths = ['catalog', 'orders/status?order_id=x'].map((path) => `${sandbox.urls.rewards}/api/v1/${path}`);
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 1 } } }));
  ok(await sandbox.rewards(token).GET('/v1/partner/rewards'));
  for (const url of paths) {
    expect(plain(await raw(url, { headers: { authorization: token } }))).toEqual(flat(429, 59, 'Rate limit exceeded'));
  }
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { allowlist: ['10.0.0.0/8'] } } }));
  for (const url of paths) expect(plain(await raw(url))).toEqual(flat(403, 43, 'Server not allowed'));
});
