/** Tests every error that the interface states: status, envelope and message (X1 to X7; OP-14, OP-15). */
import { expect, it } from 'vitest';
import { redemption, report } from '../harness/client-requests.ts';
import { flat, mandatory, plain, refusal, tokenInvalid, wrapped } from '../harness/envelopes.ts';
import { ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { balanceOf, refusing } from '../harness/state.ts';

const profileOf = (uid: string) => ({ params: { query: { uid } } });
const json = { 'content-type': 'application/json' };

/** Replaces one character of a token, counted from the end. */
function altered(token: string, index: number): string {
  const place = token.length - 1 - index;
  return `${token.slice(0, place)}${token[place] === 'A' ? 'B' : 'A'}${token.slice(place + 1)}`;
}

function unsigned(token: string): string {
  const head = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  return `${head}.${token.split('.')[1]}.`;
}

it('T3, X1, X2: getProfileAndPoints: a missing, garbled, forged or foreign token is refused with Token Invalid', async () => {
  const sandbox = await testSandbox();
  const other = await testSandbox({ seed: 'another workspace' });
  const { jwt, companyToken, customerToken } = await signIn(sandbox, 'CUST0001');
  const foreign = await signIn(other, 'CUST0001');
  const url = `${sandbox.urls.client}/getProfileAndPoints?uid=CUST0001`;
  const headers = {
    missing: undefined,
    empty: '',
    'scheme only': 'Bearer',
    garbage: 'Bearer garbage',
    'another scheme': `Basic ${jwt}`,
    'without its scheme': jwt,
    'two tokens in one': `Bearer ${jwt} ${jwt}`,
    'signature changed': `Bearer ${altered(jwt, 5)}`,
    'last bits changed': `Bearer ${altered(jwt, 0)}`,
    'payload changed': `Bearer ${altered(jwt, 60)}`,
    'no signature': `Bearer ${unsigned(jwt)}`,
    'another workspace': `Bearer ${foreign.jwt}`,
    'the company token': `Bearer ${companyToken}`,
    'the session token': `Bearer ${customerToken}`,
  };
  const expectNoEffect = await refusing(sandbox);
  for (const [which, authorization] of Object.entries(headers)) {
    const init = authorization === undefined ? {} : { headers: { authorization } };
    const answer = await expectNoEffect(raw(url, { method: 'POST', ...init }));
    expect(plain(answer), which).toEqual(tokenInvalid);
    const challenge = authorization ? 'Bearer error="invalid_token"' : 'Bearer realm="rewards-client"';
    expect(answer.headers.get('www-authenticate'), which).toBe(challenge);
  }
});

it('getProfileAndPoints: the JWT of another customer is refused with Token Invalid', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0005');
  const foreign = await sandbox.client(jwt).POST('/getProfileAndPoints', profileOf('CUST0001'));
  expect(refusal(foreign)).toEqual(tokenInvalid);
  expect(ok(await sandbox.client(jwt).POST('/getProfileAndPoints', profileOf('CUST0005'))).profile.uid).toBe(
    'CUST0005',
  );
});

it('getProfileAndPoints: a JWT is valid for 1800 s of sandbox time, not a second longer (OP-18)', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0001');
  const client = sandbox.client(jwt);
  await sandbox.control.POST('/clock/advance', { body: { seconds: 1799 } });
  expect(ok(await client.POST('/getProfileAndPoints', profileOf('CUST0001'))).profile.uid).toBe('CUST0001');
  await sandbox.control.POST('/clock/advance', { body: { seconds: 1 } });
  expect(refusal(await client.POST('/getProfileAndPoints', profileOf('CUST0001')))).toEqual(tokenInvalid);
});

it('B2: getProfileAndPoints: without a uid the mandatory details are missing (OP-13)', async () => {
  const { urls, credentials } = await testSandbox();
  const headers = { authorization: `Bearer ${credentials.service_token}` };
  const answer = await raw(`${urls.client}/getProfileAndPoints`, { method: 'POST', headers });
  expect(plain(answer)).toEqual(mandatory);
  expect(answer.headers.get('x-problem')).toBe('query parameter uid is required');
});

it.each([
  { operation: 'saveRedeemDetails', body: redemption },
  { operation: 'updateRedeemStatus', body: report('Delivered') },
])(
  'B5, B10, X1, X3, X4: $operation: each field left out is a missing mandatory detail',
  async ({ operation, body }) => {
    const sandbox = await testSandbox();
    const headers = { ...json, authorization: `Bearer ${sandbox.credentials.service_token}` };
    const expectNoEffect = await refusing(sandbox);
    for (const field of Object.keys(body)) {
      const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
      const request = { method: 'POST', headers, body: JSON.stringify(rest) };
      const answer = await expectNoEffect(raw(`${sandbox.urls.client}/${operation}`, request));
      expect(plain(answer), field).toEqual(mandatory);
      expect(answer.headers.get('x-problem'), field).toBe(`/${field} is required`);
    }
  },
);

it.each([
  { operation: 'saveRedeemDetails', body: redemption },
  { operation: 'updateRedeemStatus', body: report('Delivered') },
] as const)('OP-37: $operation checks the token before the body', async ({ operation, body }) => {
  const { client } = await testSandbox();
  expect(refusal(await client('nobody').POST(`/${operation}`, { body: { ...body, redeemCode: '' } }))).toEqual(
    tokenInvalid,
  );
});

it('B8: OP-15: saveRedeemDetails with invalid credentials is Token Invalid, and nothing is deducted', async () => {
  const sandbox = await testSandbox();
  const { jwt, customerToken } = await signIn(sandbox, 'CUST0005');
  const expectNoEffect = await refusing(sandbox);
  for (const token of ['nobody', jwt, customerToken]) {
    const saved = sandbox.client(token).POST('/saveRedeemDetails', { body: redemption });
    expect(refusal(await expectNoEffect(saved))).toEqual(tokenInvalid);
  }
});

it('B9: OP-15: saveRedeemDetails beyond the balance says that the points have changed, and nothing is deducted', async () => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const body = { ...redemption, uid: 'CUST0004', processingFee: '1', totalPointWithProcessingFee: '501' };
  const saved = sandbox.client().POST('/saveRedeemDetails', { body });
  expect(refusal(await expectNoEffect(saved))).toEqual(wrapped(422, 'User points have changed.'));

  const exact = { ...body, processingFee: '0', totalPointWithProcessingFee: '500' };
  expect(ok(await sandbox.client().POST('/saveRedeemDetails', { body: exact }))).toEqual({
    success: true,
    status: 200,
  });
  expect(await balanceOf(sandbox, 'CUST0004')).toBe(0);
});

it.each([
  {
    title: 'a type that is neither egv nor physical is refused with code 50',
    name: 'type',
    values: ['', 'EGV', 'Egv', 'voucher', 'egv,physical', 'egv%20', '0', 'null'],
    expected: flat(400, 50, 'Invalid type filter value'),
  },
  {
    title: 'an invalid cursor is refused with code 51',
    name: 'cursor',
    values: ['.', 'x', 'null', '0', 'bm9uc2Vuc2U', 'a.b', 'a.b.c', 'x'.repeat(1025)],
    expected: flat(400, 51, 'Invalid or expired cursor'),
  },
])('X5, X6, X7: rewards listing: $title', async ({ name, values, expected }) => {
  const sandbox = await testSandbox();
  const headers = { authorization: await sandbox.companyToken() };
  for (const value of values) {
    const answer = await raw(`${sandbox.urls.rewards}/v1/partner/rewards?${name}=${value}`, { headers });
    expect(plain(answer), value).toEqual(expected);
  }
});

it('OP-12: only an omitted cursor is the first page: an empty one is refused with code 51, in both listings', async () => {
  const sandbox = await testSandbox();
  const headers = { authorization: `Bearer ${await sandbox.companyToken()}` };
  for (const listing of ['v1/partner/rewards', 'api/v1/catalog']) {
    const page = (query: string) => raw(`${sandbox.urls.rewards}/${listing}?limit=1${query}`, { headers });
    expect((await page('')).status, listing).toBe(200);
    for (const empty of ['&cursor=', '&cursor']) {
      expect(plain(await page(empty)), `${listing} ${empty}`).toEqual(flat(400, 51, 'Invalid or expired cursor'));
    }
    // The refusal and the first page must not share a cache entry.
    expect((await page('')).status, listing).toBe(200);
  }
});

it('X7: rewards listing: a cursor that has expired is refused with code 51 (OP-12)', async () => {
  const sandbox = await testSandbox();
  const first = ok(await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards'));
  const follow = async () => {
    const rewards = sandbox.rewards(await sandbox.companyToken());
    return rewards.GET('/v1/partner/rewards', { params: { query: { cursor: first.next_cursor ?? '' } } });
  };
  await sandbox.control.POST('/clock/advance', { body: { seconds: 24 * 3600 - 1 } });
  expect(ok(await follow()).items).toHaveLength(50);
  await sandbox.control.POST('/clock/advance', { body: { seconds: 1 } });
  expect(refusal(await follow())).toEqual(flat(400, 51, 'Invalid or expired cursor'));
});

it('OP-13: every operation of the rewards API that needs a token refuses a missing and a wrong one with code 40', async () => {
  const sandbox = await testSandbox();
  const { jwt } = await signIn(sandbox, 'CUST0001');
  const operations = [
    ['POST', '/v1/customer/auth'],
    ['GET', '/v1/partner/rewards'],
    ['POST', '/v1/partner/redeemptiononskus'],
    ['GET', '/getwalletdetail?uid=CUST0001'],
    ['POST', '/v1/partner/events/payment'],
    ['POST', '/v1/partner/webhooks'],
    ['GET', '/v1/partner/webhooks'],
    ['DELETE', '/v1/partner/webhooks?webhook_id=WHK-1'],
  ] as const;
  for (const [method, path] of operations) {
    for (const authorization of ['', 'nobody', `Bearer ${jwt}`, `Bearer ${sandbox.credentials.service_token}`]) {
      const answer = await raw(`${sandbox.urls.rewards}${path}`, { method, headers: { authorization } });
      expect(plain(answer), `${method} ${path}`).toEqual(flat(401, 40, 'Missing or invalid token'));
      const challenge = authorization ? 'Bearer error="invalid_token"' : 'Bearer realm="rewards-sandbox"';
      expect(answer.headers.get('www-authenticate')).toBe(challenge);
    }
  }
});
