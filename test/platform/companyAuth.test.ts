import { expect, it } from 'vitest';
import { flat, plain, refusal } from '../harness/envelopes.ts';
import { ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';

it('A1: OP-02: the company secret is exchanged for a token that lasts an hour of sandbox time', async () => {
  const { rewards, credentials, control } = await testSandbox();
  const body = { secret: credentials.company_secret };
  const granted = ok(await rewards().POST('/v1/company/auth', { body }));
  const token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(granted).toEqual({ success: true, status: 200, token, token_type: 'Bearer', expires_in: 3600 });

  const list = () => rewards(granted.token).GET('/v1/partner/rewards');
  await control.POST('/clock/advance', { body: { seconds: 3599 } });
  expect(ok(await list()).items).toHaveLength(50);
  await control.POST('/clock/advance', { body: { seconds: 1 } });
  expect(refusal(await list())).toEqual(flat(401, 40, 'Missing or invalid token'));
});

it('OP-30, OP-137: a reply with a token states the remaining quota if the call counts, and is not cacheable', async () => {
  const { rewards, general, auth, control, credentials } = await testSandbox();
  ok(await control.PATCH('/workspace', { body: { settings: { rate_limit: 5 } } }));
  const headersOf = ({ headers }: Response) =>
    ['cache-control', 'ratelimit', 'ratelimit-policy'].map((name) => headers.get(name));
  const company = await rewards().POST('/v1/company/auth', { body: { secret: credentials.company_secret } });
  expect(headersOf(company.response)).toEqual(['no-store', '"hour";r=4;t=3600', '"hour";q=5;w=3600']);
  const body = { username: 'CUST0001', password: credentials.general.password };
  const login = await general().POST('/v1/auth/login', { body });
  expect(headersOf(login.response)).toEqual(['no-store', '"hour";r=3;t=3600', '"hour";q=5;w=3600']);
  const { reference_id } = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }));
  const { items } = ok(await control.GET('/messages', { params: { query: { uid: 'CUST0001' } } }));
  const otp = items[0]?.otp ?? '';
  const jwt = ok(
    await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: 'CUST0001', otp, reference_id } }),
  ).token;
  const session = await rewards(ok(company).token).POST('/v1/customer/auth', { body: { uid: 'CUST0001', token: jwt } });
  expect(headersOf(session.response)).toEqual(['no-store', '"hour";r=2;t=3600', '"hour";q=5;w=3600']);
  const guess = await rewards().POST('/v1/company/auth', { body: { secret: 'a guess' } });
  expect(headersOf(guess.response)).toEqual([null, null, null]);
});

it('OP-02: a wrong secret is refused', async () => {
  const { rewards, credentials } = await testSandbox();
  const { company_secret: right, service_token } = credentials;
  for (const secret of ['wrong', right.slice(0, -1), `${right} `, right.toUpperCase(), service_token]) {
    const granted = await rewards().POST('/v1/company/auth', { body: { secret } });
    expect(refusal(granted)).toEqual(flat(401, 40, 'Invalid company secret'));
  }
});

it('A2: OP-02: any or no Authorization header is accepted, including the literal Required of the interface', async () => {
  const { urls, credentials } = await testSandbox();
  const body = JSON.stringify({ secret: credentials.company_secret });
  for (const authorization of [undefined, '', 'Required', 'Bearer nonsense', 'Basic eDp5']) {
    const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
    const answer = await raw(`${urls.rewards}/v1/company/auth`, { method: 'POST', headers, body });
    expect(answer.status, authorization).toBe(200);
  }
});

it('A4: OP-03: the rewards API accepts its token with and without Bearer', async () => {
  const { urls, companyToken } = await testSandbox();
  const token = await companyToken();
  const statusOf = async (path: string, authorization: string) =>
    (await raw(`${urls.rewards}${path}`, { headers: { authorization } })).status;
  for (const path of ['/v1/partner/rewards', '/v1/partner/webhooks']) {
    expect(await statusOf(path, token)).toBe(200);
    expect(await statusOf(path, `Bearer ${token}`)).toBe(200);
    expect(await statusOf(path, `bearer  ${token}`)).toBe(200);
    expect(await statusOf(path, `Token ${token}`)).toBe(401);
    expect(await statusOf(path, `Bearer${token}`)).toBe(401);
  }
});

it('A14, T3: OP-03: the wallet accepts its token with Bearer only', async () => {
  const sandbox = await testSandbox();
  const { customerToken, companyToken } = await signIn(sandbox, 'CUST0001');
  for (const token of [customerToken, companyToken]) {
    const readWallet = (authorization: string) =>
      raw(`${sandbox.urls.rewards}/getwalletdetail?uid=CUST0001`, { headers: { authorization } });
    expect((await readWallet(`Bearer ${token}`)).status).toBe(200);
    expect(plain(await readWallet(token))).toEqual(flat(401, 40, 'Missing or invalid token'));
  }
});

it('a customer token gives access to orders and the wallet, not to company operations', async () => {
  const sandbox = await testSandbox();
  const { customerToken, jwt } = await signIn(sandbox, 'CUST0001');
  const rewards = sandbox.rewards(customerToken);
  const unauthorized = flat(401, 40, 'Missing or invalid token');
  expect(refusal(await rewards.GET('/v1/partner/rewards'))).toEqual(unauthorized);
  expect(refusal(await rewards.GET('/v1/partner/webhooks'))).toEqual(unauthorized);
  expect(refusal(await rewards.POST('/v1/customer/auth', { body: { uid: 'CUST0001', token: jwt } }))).toEqual(
    unauthorized,
  );
});
