import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { closedPort } from '../harness/http-server.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

async function openSession({ rewards, companyToken }: TestSandbox, uid: string, token: string) {
  return rewards(await companyToken()).POST('/v1/customer/auth', { body: { uid, token } });
}

it("A3: OP-04: a customer's JWT opens a session, with profile and points as the client returns them", async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0005');
  const profileAndPoints = ok(
    await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0005' } } }),
  );
  const session = ok(await openSession(sandbox, 'CUST0005', jwt));
  const token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(session).toEqual({
    success: true,
    status: 200,
    token,
    token_type: 'Bearer',
    expires_in: 1800,
    ...profileAndPoints,
  });
  expect(session.token).not.toBe(jwt);
});

it('OP-04: a session never outlives the JWT that opened it', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0005');
  await sandbox.control.POST('/clock/advance', { body: { seconds: 1700 } });
  const session = ok(await openSession(sandbox, 'CUST0005', jwt));
  expect(session.expires_in).toBe(100);

  const wallet = () =>
    sandbox.rewards(session.token).GET('/getwalletdetail', { params: { query: { uid: 'CUST0005' } } });
  await sandbox.control.POST('/clock/advance', { body: { seconds: 99 } });
  expect(ok(await wallet()).data).toEqual([]);
  await sandbox.control.POST('/clock/advance', { body: { seconds: 1 } });
  expect(refusal(await wallet())).toEqual(flat(401, 40, 'Missing or invalid token'));
});

it('OP-04: a session lasts 1800 s, even if a partner’s client issues longer tokens', async () => {
  const sandbox = await testSandbox();
  const profileAndPoints = ok(
    await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0005' } } }),
  );
  await stubClient(sandbox, () => ({ status: 200, body: profileAndPoints }));
  const { now } = ok(await sandbox.control.GET('/clock'));
  const exp = Date.parse(now) / 1000 + 86_400;
  const jwt = await new SignJWT({ exp }).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32));
  expect(ok(await openSession(sandbox, 'CUST0005', jwt)).expires_in).toBe(1800);
  expect(ok(await openSession(sandbox, 'CUST0005', 'an-opaque-token')).expires_in).toBe(1800);
});

it('a JWT that the client does not accept is refused with code 56', async () => {
  const sandbox = await testSandbox();
  const { jwt, customerToken, companyToken } = await signIn(sandbox, 'CUST0005');
  for (const token of ['nonsense', `${jwt}x`, customerToken, companyToken]) {
    const opened = await openSession(sandbox, 'CUST0005', token);
    expect(refusal(opened)).toEqual(flat(422, 56, 'Refused by the client: Token Invalid'));
  }
  const other = await openSession(sandbox, 'CUST0001', jwt);
  expect(refusal(other)).toEqual(flat(422, 56, 'Refused by the client: Token Invalid'));
});

it('OP-17: the service token does not open a session in the name of a customer', async () => {
  const sandbox = await testSandbox();
  const opened = await openSession(sandbox, 'CUST0005', sandbox.credentials.service_token);
  expect(refusal(opened)).toEqual(flat(422, 56, 'Refused by the client: Token Invalid'));
});

it('an unreachable client leads to code 57', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0005');
  const client_url = await closedPort();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
  expect(refusal(await openSession(sandbox, 'CUST0005', jwt))).toEqual(
    flat(502, 57, 'No usable response from the client'),
  );
});
