/** Tests access to the control API (OP-65). */
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { outgoingHeader } from '../../sandbox/runtime/caller.ts';
import { flat, plain, wrapped } from '../harness/envelopes.ts';
import { order } from '../harness/orders.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, workspaceOf } from '../harness/workspaces.ts';

const unauthorized = flat(401, 40, 'Missing or invalid token');

/** Returns the status of a call with exactly these headers. `fetch` would set some headers itself. */
function status({ urls }: TestSandbox, path: string, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const call = request(`${urls.sandbox}${path}`, { headers }, (reply) => {
    reply.resume();
    resolve(reply.statusCode);
  });
  call.once('error', reject).end();
  return promise;
}

it('OP-65: without a token, this machine acts on the demo workspace', async () => {
  const sandbox = await testSandbox();
  const { host, port } = new URL(sandbox.origin);
  for (const headers of [{}, { host: `localhost:${port}` }, { host: `[::1]:${port}` }, { origin: `http://${host}` }]) {
    expect(await status(sandbox, '/workspace', headers), JSON.stringify(headers)).toBe(200);
  }
});

it('OP-65: without a token, a call that a proxy passed on is refused', async () => {
  const sandbox = await testSandbox();
  const cases = [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { via: '1.1 proxy' }];
  const token = { authorization: `Bearer ${sandbox.workspace.admin_token}` };
  for (const headers of cases) {
    expect(await status(sandbox, '/workspace', headers), JSON.stringify(headers)).toBe(401);
    expect(await status(sandbox, '/health', headers), JSON.stringify(headers)).toBe(200);
    expect(await status(sandbox, '/workspace', { ...headers, ...token }), JSON.stringify(headers)).toBe(200);
  }
});

it('OP-77: a call to a rebound name or for another site is refused on every path, also with a token', async () => {
  const sandbox = await testSandbox();
  const cases = [
    { host: 'rebound.example' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    { [outgoingHeader]: '1' },
  ];
  const token = { authorization: `Bearer ${sandbox.workspace.admin_token}` };
  for (const headers of cases) {
    for (const path of [
      '/workspace',
      '/health',
      '/../../rewards/v1/partner/rewards',
      '/../../microsite/',
      '/../../x',
    ]) {
      const name = `${path} ${JSON.stringify(headers)}`;
      expect(await status(sandbox, path, headers), name).toBe(400);
      expect(await status(sandbox, path, { ...headers, ...token }), name).toBe(400);
    }
  }
});

it('OP-77: a call refused for its origin is answered in the envelope of its address, and is in the log', async () => {
  const sandbox = await testSandbox();
  const headers = { 'sec-fetch-site': 'cross-site' };
  const message = 'Invalid request: the request was sent from a page of another site';
  const { urls } = sandbox;
  expect(plain(await raw(`${urls.rewards}/v1/partner/rewards`, { headers }))).toEqual(flat(400, 53, message));
  expect(plain(await raw(`${urls.client}/creditPoints`, { method: 'POST', headers }))).toEqual(wrapped(400, message));
  const page = await fetch(`${urls.microsite}/codes`, { method: 'POST', headers });
  expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('This form came from another site');
  const { items } = ok(await sandbox.control.GET('/activity'));
  expect(items).toMatchObject([
    { url: '/rewards/v1/partner/rewards', operation: null, status: 400 },
    { url: '/client/creditPoints', operation: null, status: 400 },
    { url: '/microsite/codes', operation: null, status: 400 },
  ]);
});

it('OP-65: when the start sets an admin token, calls from this machine need it too', async () => {
  const sandbox = await testSandbox({ adminToken: 'given-at-the-start' });
  expect(await status(sandbox, '/workspace', {})).toBe(401);
  expect(await status(sandbox, '/workspace', { authorization: 'Bearer given-at-the-start' })).toBe(200);
});

it('OP-65: a credential other than an admin token opens no operation of the control API, even on this machine', async () => {
  const sandbox = await testSandbox();
  const own = await workspaceOf(sandbox);
  const { company_secret, service_token } = own.credentials;
  const wrong = [company_secret, service_token, await companyTokenOf(own), 'at_sandbox_0'].map(
    (token) => `Bearer ${token}`,
  );
  for (const authorization of [...wrong, own.details.admin_token, 'Basic eDp5', '']) {
    const answer = plain(await raw(`${sandbox.urls.sandbox}/workspace`, { headers: { authorization } }));
    expect(answer, authorization).toEqual(unauthorized);
  }
});

it('OP-65: a refused call changes nothing and is in the log of the workspace that refused it', async () => {
  const sandbox = await testSandbox();
  const headers = { authorization: 'Bearer wrong' };
  expect(plain(await raw(`${sandbox.urls.sandbox}/reset`, { method: 'POST', headers }))).toEqual(unauthorized);
  const { items } = ok(await sandbox.control.GET('/activity'));
  expect(items).toMatchObject([{ kind: 'call_in', operation: 'resetWorkspace', status: 401 }]);
});

it('OP-77: the log shows where a call came from: this machine, a client behind a proxy, or the sandbox itself', async () => {
  const sandbox = await testSandbox();
  await status(sandbox, '/nothing', { 'x-forwarded-for': '203.0.113.7' });
  await raw(`${sandbox.urls.rewards}/v1/nothing`);
  ok(await order(sandbox));
  const { items } = ok(await sandbox.control.GET('/activity'));
  const callers = items.flatMap((entry) =>
    'url' in entry && entry.kind === 'call_in' ? [`${entry.caller} ${entry.url.split('?')[0]}`] : [],
  );
  expect([...new Set(callers)]).toEqual([
    'machine /rewards/v1/nothing',
    'sandbox /client/getProfileAndPoints',
    'sandbox /client/saveRedeemDetails',
    'machine /rewards/v1/partner/redeemptiononskus',
  ]);
});

it('OP-65: the admin token of the demo workspace is random, unless the start sets it', async () => {
  const [one, other] = [await testSandbox(), await testSandbox()];
  expect(one.workspace.admin_token).not.toBe(other.workspace.admin_token);
});
