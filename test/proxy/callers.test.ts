/**
 * Tests the proxy's callers: the headers that identify them, the callers that it refuses, and access to its findings
 * (OP-65, OP-77, OP-78, OP-88).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ProxyOptions } from '../../sandbox/proxy/proxy-server.ts';
import { outgoingHeader } from '../../sandbox/runtime/caller.ts';
import { httpServer } from '../harness/http-server.ts';
import { proxyTo } from '../harness/proxy.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { checkProblem, sendBytes } from './recorder.ts';

const token = 'a-token-of-the-operator';
const findings = 'GET /__proxy/findings';

/** Starts a proxy in front of a server that records its requests. Returns a function that calls the proxy. */
async function startTestProxy(options: Partial<ProxyOptions> = {}) {
  const requests: (IncomingHttpHeaders & { readonly url: string })[] = [];
  const upstream = await httpServer((request, response) => {
    requests.push({ ...request.headers, url: request.url ?? '' });
    request.resume().once('end', () => response.writeHead(200, { 'Content-Length': '2' }).end('ok'));
  });
  const proxy = await proxyTo(upstream, options);
  const call = async (line: string, headers: Record<string, string> = {}) => {
    const all = { Host: '127.0.0.1', Connection: 'close', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const [reply] = await sendBytes(proxy.url, `${line} HTTP/1.1\r\n${lines.join('')}\r\n`);
    if (reply === undefined) throw new Error('no reply');
    const problem = reply.own && reply.status >= 400 ? JSON.parse(reply.body) : undefined;
    expect(problem && checkProblem(problem)).toBeUndefined();
    return { status: reply.status, own: reply.own, detail: problem?.detail as string | undefined };
  };
  return { requests, upstream, proxy, call };
}

const forwarded = { status: 200, own: false, detail: undefined };

describe('OP-88: the proxy names the caller', () => {
  it('the sandbox gets the Host header of the caller, and its address', async () => {
    const { requests, call } = await startTestProxy();
    expect(await call('GET /rewards/v1/partner/rewards', { Host: 'localhost:4011' })).toEqual(forwarded);
    expect(requests).toMatchObject([
      { host: 'localhost:4011', 'x-forwarded-for': '127.0.0.1', via: '1.1 rewards-sandbox-proxy' },
    ]);
    expect(requests[0]).not.toHaveProperty('x-forwarded-host');
  });

  it('a server of your own gets its own Host, and the one of the caller in X-Forwarded-Host', async () => {
    const own = await startTestProxy();
    const { upstream } = own;
    const { call } = await startTestProxy({ upstreams: { client: new URL('/api', upstream.href) } });
    const headers = { Host: 'localhost:4011', 'Content-Length': '0' };
    expect(await call('POST /client/getProfileAndPoints?uid=A', headers)).toEqual(forwarded);
    const named = { host: upstream.host, 'x-forwarded-host': 'localhost:4011', 'x-forwarded-for': '127.0.0.1' };
    expect(own.requests).toMatchObject([{ ...named, url: '/api/getProfileAndPoints?uid=A' }]);
  });

  it('OP-65: behind the proxy no caller counts as local: the control API requires the admin token', async () => {
    const sandbox = await testSandbox();
    const proxy = await proxyTo(new URL(sandbox.origin));
    expect((await fetch(`${sandbox.urls.sandbox}/workspace`)).status).toBe(200);
    const through = (headers: Record<string, string> = {}) => fetch(`${proxy.url}/sandbox/v1/workspace`, { headers });
    expect((await through()).status).toBe(401);
    expect((await through({ authorization: `Bearer ${sandbox.workspace.admin_token}` })).status).toBe(200);
  });
});

describe.each(['report', 'enforce'] as const)(
  'OP-77: mode %s: a call that is not meant for the proxy is not forwarded',
  (mode) => {
    it.each([
      ['a name that is not its own (DNS rebinding)', { Host: 'rebound.example' }],
      ['a page of another site', { Origin: 'https://elsewhere.example' }],
      ['a page of another site, by Sec-Fetch-Site', { 'Sec-Fetch-Site': 'cross-site' }],
      ['a page of another port', { Origin: 'http://127.0.0.1:1' }],
      ['a page that hides its origin', { Origin: 'null' }],
    ])('%s', async (_title, headers) => {
      const { requests, call } = await startTestProxy({ mode });
      for (const line of ['GET /sandbox/v1/workspace', 'GET /rewards/v1/partner/rewards', 'GET /elsewhere', findings]) {
        const answer = await call(line, headers as Record<string, string>);
        expect(answer).toEqual({ status: 400, own: true, detail: expect.stringContaining('was not forwarded') });
      }
      expect(requests).toEqual([]);
    });

    it('host names that the operator adds, IP addresses and its own pages are allowed', async () => {
      const { call } = await startTestProxy({ mode, allowedHosts: ['Sandbox.example'] });
      const own = { Host: 'localhost:4011', Origin: 'http://localhost:4011', 'Sec-Fetch-Site': 'same-origin' };
      for (const headers of [{ Host: 'sandbox.example:4011' }, { Host: '192.0.2.1:4011' }, { Host: '[::1]:4011' }, own])
        expect(await call('GET /x', headers as Record<string, string>)).toEqual(forwarded);
    });
  },
);

describe.each(['report', 'enforce'] as const)('OP-78: mode %s: an outgoing call of a sandbox', (mode) => {
  const outgoing = { [outgoingHeader]: '1' };
  const webhook = { ...outgoing, 'webhook-id': 'MSG-1', 'webhook-signature': 'v1,x', 'Content-Length': '0' };

  it.each(['GET /sandbox/v1/workspace', 'GET /rewards/v1/partner/rewards', 'GET /portal/ended', 'GET /x', findings])(
    '%s is refused',
    async (line) => {
      const { requests, call } = await startTestProxy({ mode });
      for (const headers of [outgoing, { ...outgoing, 'X-Sandbox-Own-Call': 'x' }])
        expect(await call(line, headers)).toMatchObject({ status: 403, own: true });
      expect(requests).toEqual([]);
    },
  );

  it('it may call a client', async () => {
    const { requests, call } = await startTestProxy({ mode });
    // In `enforce` mode, a call whose path is similar to a contract's path is refused, regardless of the caller.
    const line = 'GET /client/creditPoint';
    expect(await call(line, outgoing)).toMatchObject({ status: mode === 'report' ? 200 : 400 });
    expect(requests.length).toBe(mode === 'report' ? 1 : 0);
    expect(await call('GET /clients', outgoing)).toMatchObject({ status: 403 });
  });

  it('a webhook goes to a receiver behind the proxy, and nowhere else', async () => {
    const receiver = await startTestProxy();
    const { call } = await startTestProxy({ upstreams: { webhook: receiver.upstream } });
    expect(await call('POST /hooks', webhook)).toEqual(forwarded);
    expect(await call('POST /sandbox/v1/reset', webhook)).toMatchObject({ status: 403 });
    expect(receiver.requests).toMatchObject([{ url: '/hooks', host: receiver.upstream.host }]);
    const without = await startTestProxy({ mode });
    expect(await without.call('POST /hooks', webhook)).toMatchObject({ status: 403 });
    expect(without.requests).toEqual([]);
  });
});

describe('OP-65: its findings have the access rules of the control API', () => {
  const bearer = { Authorization: `Bearer ${token}` };

  it('on this machine, no token is needed if none is configured', async () => {
    const { call } = await startTestProxy();
    expect(await call(findings)).toMatchObject({ status: 200, own: true });
    expect(await call(findings, bearer)).toMatchObject({ status: 401 });
    expect(await call('GET /__proxy/else')).toMatchObject({ status: 404 });
  });

  it.each(['Via', 'Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'])(
    'behind another proxy, which adds %s, a token is needed',
    async (name) => {
      const { call } = await startTestProxy();
      expect(await call(findings, { [name]: '127.0.0.1' })).toMatchObject({ status: 401 });
      expect(await call('GET /__proxy/else', { [name]: '127.0.0.1' })).toMatchObject({ status: 401 });
    },
  );

  it('with a configured token, it is needed on this machine too', async () => {
    const { call } = await startTestProxy({ adminToken: token });
    expect(await call(findings)).toEqual({ status: 401, own: true, detail: expect.stringContaining('admin token') });
    expect(await call(findings, { Authorization: 'Bearer another-token-than-that' })).toMatchObject({ status: 401 });
    expect(await call(findings, bearer)).toMatchObject({ status: 200, own: true });
    expect(await call(findings, { ...bearer, Via: '1.1 front' })).toMatchObject({ status: 200, own: true });
  });

  it('on a public address the token is needed, and without one access is refused', async () => {
    const open = await startTestProxy({ host: '0.0.0.0' });
    expect(await open.call(findings)).toMatchObject({ status: 401, detail: expect.stringContaining('--admin-token') });
    const { call } = await startTestProxy({ host: '0.0.0.0', adminToken: token });
    expect(await call(findings)).toMatchObject({ status: 401 });
    expect(await call(findings, bearer)).toMatchObject({ status: 200 });
  });

  it('each call of a connection is judged by its own head, and a refusal names the authentication scheme', async () => {
    const { proxy } = await startTestProxy({ adminToken: token });
    const statuses = async (path: string, headers: readonly Record<string, string>[]) => {
      const found: unknown[] = [];
      for (const own of headers) {
        const { status, headers } = await fetch(proxy.url + path, { headers: own });
        found.push(status, ...(headers.get('www-authenticate')?.split(' ') ?? []));
      }
      return found;
    };
    const wrong = { Authorization: 'Bearer another-token-than-that' };
    expect(await statuses('/__proxy/findings', [bearer, {}, bearer, wrong])).toEqual([
      ...[200, 401, 'Bearer'],
      ...[200, 401, 'Bearer'],
    ]);
    const others = [{}, {}, { origin: 'https://a.example' }, { [outgoingHeader]: '1' }, {}] as Record<string, string>[];
    expect(await statuses('/elsewhere', others)).toEqual([200, 200, 400, 403, 200]);
  });
});
