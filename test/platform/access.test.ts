/** Tests who may call the platform, and how often (OP-30, OP-31). */
import { expect, it } from 'vitest';
import { flat, plain, refusal } from '../harness/envelopes.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf } from '../harness/state.ts';

const blocked = flat(403, 43, 'Server not allowed');

async function allow({ control }: TestSandbox, allowlist: string[]) {
  return ok(await control.PATCH('/workspace', { body: { settings: { allowlist } } }));
}

it('T8: OP-31: a server that is not on the list is refused before any other check', async () => {
  const sandbox = await testSandbox();
  const { urls, companyToken, control } = sandbox;
  await allow(sandbox, ['10.0.0.0/8', '2001:db8::/32']);
  const before = await eventsOf(sandbox);
  const statuses: unknown[] = [];
  for (const authorization of [await companyToken(), 'nonsense', '']) {
    const listed = await raw(`${urls.rewards}/v1/partner/rewards?type=wrong`, { headers: { authorization } });
    statuses.push(plain(listed));
  }
  statuses.push(plain(await raw(`${urls.rewards}/v1/company/auth`, { method: 'POST', body: '{' })));
  statuses.push(refusal(await order(sandbox)));
  expect(statuses).toEqual(statuses.map(() => blocked));
  expect(await eventsOf(sandbox)).toEqual(before);
  expect(ok(await control.GET('/health')).status).toBe('ok');
});

it('OP-31: the sandbox ignores what a caller states about its own address', async () => {
  const sandbox = await testSandbox();
  await allow(sandbox, ['10.0.0.0/8']);
  const forwarded = { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1' };
  const headers = { authorization: await sandbox.companyToken(), ...forwarded };
  expect(plain(await raw(`${sandbox.urls.rewards}/v1/partner/rewards`, { headers }))).toEqual(blocked);
});

it.each([
  ['the rewards API', '/rewards', ['/v1/partner/rewards', '/v1/company/auth', '/nothing', '']],
  ['version 2.0', '/rewards/api/v1', ['/catalog', '/orders/status', '/nothing']],
  ['the general API', '/general', ['/v1/products', '/v1/auth/login', '/nothing', '']],
])('T8: OP-31: %s reveals nothing to a blocked server: no path, no method, no fault', async (_name, prefix, paths) => {
  const sandbox = await testSandbox();
  await allow(sandbox, ['10.0.0.0/8']);
  const fault = { fault: 'status', status: 500 } as const;
  for (const target of ['listRewards', 'listCatalog', 'listProducts'])
    ok(await sandbox.control.POST('/faults', { body: { target, ...fault } }));
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const answer = await raw(`${sandbox.origin}${prefix}${path}`, { method });
      expect([path, method, plain(answer), answer.headers.get('allow')]).toEqual([path, method, blocked, null]);
    }
  }
});

it('OP-31: the log names the operation that a blocked server called', async () => {
  const sandbox = await testSandbox();
  await allow(sandbox, ['10.0.0.0/8']);
  await raw(`${sandbox.urls.general}/v1/products`);
  const { items } = ok(await sandbox.control.GET('/activity'));
  const calls = items.flatMap((entry) => (entry.kind === 'call_in' && entry.party === 'platform' ? [entry] : []));
  expect(calls.map(({ operation, status, request }) => ({ operation, status, request }))).toEqual([
    { operation: 'listProducts', status: 403, request: null },
  ]);
});

it('OP-31: the list applies to the platform only; client, control API and pages stay open, and an empty list allows every server', async () => {
  const sandbox = await testSandbox();
  await allow(sandbox, ['10.0.0.0/8']);
  ok(await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } }));
  for (const url of [sandbox.urls.portal, sandbox.urls.microsite])
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
  await allow(sandbox, []);
  ok(await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards'));
});

it('L1: OP-30: exactly the set number of requests is accepted in any sliding hour', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 3 } } }));
  /** Sends `count` requests and returns the number of accepted ones. */
  const accepted = async (count: number) => {
    const rewards = sandbox.rewards(await sandbox.companyToken());
    const answers = await Promise.all(Array.from({ length: count }, () => rewards.GET('/v1/partner/rewards')));
    return answers.filter(({ response }) => response.status === 200).length;
  };
  const steps: [seconds: number, sent: number, expected: number][] = [
    [0, 2, 2],
    [1800, 5, 1],
    [1799, 1, 0],
    [1, 5, 2],
    [1799, 1, 0],
    [1, 5, 1],
    [3599, 5, 2],
  ];
  for (const [seconds, sent, expected] of steps) {
    await advance(sandbox, seconds);
    expect(await accepted(sent), `after ${seconds} s more`).toBe(expected);
  }
});

it('OP-30: only a caller with a token or the secret uses the quota', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 2 } } }));
  const token = await sandbox.companyToken();
  for (let guess = 0; guess < 5; guess += 1) {
    expect((await sandbox.rewards('a guess').GET('/v1/partner/rewards')).response.status).toBe(401);
    const answer = await sandbox.rewards().POST('/v1/company/auth', { body: { secret: 'a guess' } });
    expect(answer.response.status).toBe(401);
  }
  const answer = await sandbox.rewards(token).GET('/v1/partner/rewards');
  expect(answer.response.status).toBe(200);
  expect(answer.response.headers.get('RateLimit')).toBe('"hour";r=1;t=3600');
  expect(answer.response.headers.get('RateLimit-Policy')).toBe('"hour";q=2;w=3600');
});

it('OP-30: a request beyond the quota gets 429 with code 59 before any other error, and a Retry-After', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 2 } } }));
  const url = `${sandbox.urls.rewards}/v1/partner/rewards`;
  const headers = { authorization: await sandbox.companyToken() };
  await raw(url, { headers });
  await advance(sandbox, 600);
  await raw(url, { headers });
  const refused = await raw(`${url}?limit=0`, { headers });
  expect(plain(refused)).toEqual(flat(429, 59, 'Rate limit exceeded'));
  const sent = ['retry-after', 'ratelimit', 'ratelimit-policy'].map((name) => refused.headers.get(name));
  expect(sent).toEqual(['3000', '"hour";r=0;t=3000', '"hour";q=2;w=3600']);
});
