/** Tests the customer's JWT in the platform's version 2.0 operations (T2, OP-120). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, notFound, refusal, tokenInvalid } from '../harness/envelopes.ts';
import { advance, voucher } from '../harness/orders.ts';
import { logIn, ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const uid = 'CUST0001';
const body = { customer_id: uid, line_items: [voucher] };
const page = { params: { query: { limit: 1 } } };
const invalid = flat(401, 40, 'Missing or invalid token');

/** Returns a JWT of a client's own server, which only that server can verify. */
function foreignJwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', kid: 'key-1' })}.${part(claims)}.c2lnbmF0dXJl`;
}

function catalog(sandbox: TestSandbox, jwt: string) {
  return sandbox.v2Platform(`Bearer ${jwt}`).GET('/api/v1/catalog', page);
}

it('T2: OP-120: the JWT of verify-otp gives access to catalogue, orders and status; the platform checks it with the client once', async () => {
  const sandbox = await testSandbox();
  const { jwt, customerToken } = await signIn(sandbox, uid);
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const v2 = sandbox.v2Platform(`Bearer ${jwt}`);
  expect(ok(await v2.GET('/api/v1/catalog', page)).items).toHaveLength(1);
  const placed = ok(await v2.POST('/api/v1/orders', { body }));
  const status = { params: { query: { order_id: placed.order_id } } };
  expect(ok(await v2.GET('/api/v1/orders/status', status))).toEqual(placed);
  // A customer token of the same customer returns the same data.
  expect(ok(await sandbox.v2Platform(customerToken).GET('/api/v1/orders/status', status))).toEqual(placed);
  expect(clientCalls.map(({ operation, authorization }) => [operation, authorization])).toEqual([
    ['getProfileAndPoints', `Bearer ${jwt}`],
    ['api/v1/customer/points', `Bearer ${jwt}`],
    ['api/v1/orders/redeem', `Bearer ${jwt}`],
  ]);
});

it('OP-120: the JWT gives access to no other customer, and needs Bearer', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0005');
  const placed = ok(await sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body }));
  const v2 = sandbox.v2Platform(`Bearer ${jwt}`);
  const foreign = flat(400, 53, "Invalid request: /customer_id must be the session's own customer");
  expect(refusal(await v2.POST('/api/v1/orders', { body }))).toEqual(foreign);
  const status = { params: { query: { order_id: placed.order_id } } };
  expect(refusal(await v2.GET('/api/v1/orders/status', status))).toEqual(notFound(`Order ${placed.order_id}`));
  expect(refusal(await sandbox.v2Platform(jwt).GET('/api/v1/catalog', page))).toEqual(invalid);
  expect(refusal(await sandbox.rewards(jwt).GET('/v1/partner/rewards', page))).toEqual(invalid);
});

it("OP-120: a JWT that only a client's own server can check gives access to the list once that server accepts it", async () => {
  const sandbox = await testSandbox();
  const query = { params: { query: { uid } } };
  const profileAndPoints = ok(await sandbox.client().POST('/getProfileAndPoints', query));
  let accepts = true;
  const clientCalls = await stubClient(sandbox, () =>
    accepts ? { status: 200, body: profileAndPoints } : { status: 422, body: tokenInvalid.body },
  );
  const jwt = foreignJwt({ sub: uid, iss: 'our-own-server' });
  expect(ok(await catalog(sandbox, jwt)).items).toHaveLength(1);
  accepts = false;
  // An accepted JWT stays valid. After 1800 s, the platform asks the server to verify it again.
  await advance(sandbox, 1799);
  expect(ok(await catalog(sandbox, jwt)).items).toHaveLength(1);
  expect(clientCalls).toHaveLength(1);
  await advance(sandbox, 1);
  expect(refusal(await catalog(sandbox, jwt))).toEqual(invalid);
  expect(clientCalls).toHaveLength(2);
});

it('OP-120: the JWT is valid until its own expiry, even if the client would still accept it', async () => {
  const sandbox = await testSandbox();
  const query = { params: { query: { uid } } };
  const profileAndPoints = ok(await sandbox.client().POST('/getProfileAndPoints', query));
  const clientCalls = await stubClient(sandbox, () => ({ status: 200, body: profileAndPoints }));
  const jwt = foreignJwt({ sub: uid, exp: Date.parse('2026-01-12T04:31:00Z') / 1000 });
  expect(ok(await catalog(sandbox, jwt)).items).toHaveLength(1);
  await advance(sandbox, 60);
  expect(refusal(await catalog(sandbox, jwt))).toEqual(invalid);
  expect(clientCalls).toHaveLength(1);
});

it('OP-120: the platform does not check a JWT without a subject, or its own token, with the client', async () => {
  const sandbox = await testSandbox();
  const access = await logIn(sandbox, uid);
  const clientCalls = await stubClient(sandbox, () => 'drop');
  const ended = sandbox.credentials.service_token;
  for (const token of [foreignJwt({}), foreignJwt({ sub: '' }), access, ended, 'x.y.z', 'nothing']) {
    expect(refusal(await catalog(sandbox, token))).toEqual(invalid);
  }
  expect(clientCalls).toEqual([]);
});

it('OP-120: a JWT that the client refuses gets 401, one without an answer 502; neither uses the quota', async () => {
  const sandbox = await testSandbox();
  const answers = ['drop', { status: 422, body: tokenInvalid.body }] as const;
  await stubClient(sandbox, ({ times }) => answers[times - 1] ?? 'pass');
  const jwt = foreignJwt({ sub: uid });
  const first = await catalog(sandbox, jwt);
  expect(refusal(first)).toEqual(flat(502, 57, 'No usable response from the client'));
  expect(first.response.headers.get('ratelimit')).toBeNull();
  expect(refusal(await catalog(sandbox, jwt))).toEqual(invalid);
});
