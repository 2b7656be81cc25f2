/**
 * Who calls through the proxy: whom it tells of, whom it refuses, and who may read what it found (OP-65, OP-77, OP-78,
 * OP-88).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../sandbox/contract/document.ts';
import { Schemas } from '../../sandbox/contract/schemas.ts';
import type { ProxyOptions } from '../../sandbox/proxy/proxy-options.ts';
import { outgoingHeader } from '../../sandbox/runtime/caller.ts';
import { httpServer } from '../harness/http-server.ts';
import { proxyTo } from '../harness/proxy.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { sendBytes } from './recorder.ts';

const ofProblem = new Schemas(readContract('proxy')).check('/components/schemas/ProxyProblem');
const token = 'a-token-of-the-operator';
const findings = 'GET /__proxy/findings';

/** A proxy in front of a server that keeps what it was asked, and a call to it with these headers. */
async function proxied(options: Partial<ProxyOptions> = {}) {
  const asked: (IncomingHttpHeaders & { readonly url: string })[] = [];
  const upstream = await httpServer((request, response) => {
    asked.push({ ...request.headers, url: request.url ?? '' });
    request.resume().once('end', () => response.writeHead(200, { 'Content-Length': '2' }).end('ok'));
  });
  const proxy = await proxyTo(upstream, options);
  const call = async (line: string, headers: Record<string, string> = {}) => {
    const all = { Host: '127.0.0.1', Connection: 'close', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const [came] = await sendBytes(proxy.url, `${line} HTTP/1.1\r\n${lines.join('')}\r\n`);
    if (came === undefined) throw new Error('no reply');
    const problem = came.own && came.status >= 400 ? JSON.parse(came.body) : undefined;
    expect(problem && ofProblem(problem)).toBeUndefined();
    return { status: came.status, own: came.own, detail: problem?.detail as string | undefined };
  };
  return { asked, upstream, proxy, call };
}

const passed = { status: 200, own: false, detail: undefined };

describe('OP-88: who called is told', () => {
  it('the sandbox gets the Host that the caller meant, and who it was', async () => {
    const { asked, call } = await proxied();
    expect(await call('GET /rewards/v1/partner/rewards', { Host: 'localhost:4011' })).toEqual(passed);
    expect(asked).toMatchObject([
      { host: 'localhost:4011', 'x-forwarded-for': '127.0.0.1', via: '1.1 rewards-sandbox-proxy' },
    ]);
    expect(asked[0]).not.toHaveProperty('x-forwarded-host');
  });

  it('a server of your own is called by its own name, and the one that the caller meant goes on beside it', async () => {
    const own = await proxied();
    const { upstream } = own;
    const { call } = await proxied({ upstreams: { client: new URL('/api', upstream.href) } });
    expect(
      await call('POST /client/getProfileAndPoints?uid=A', { Host: 'localhost:4011', 'Content-Length': '0' }),
    ).toEqual(passed);
    expect(own.asked).toMatchObject([
      {
        host: upstream.host,
        'x-forwarded-host': 'localhost:4011',
        'x-forwarded-for': '127.0.0.1',
        url: '/api/getProfileAndPoints?uid=A',
      },
    ]);
  });

  it('OP-65: behind the proxy nobody is this machine: the control API asks for the admin token', async () => {
    const sandbox = await testSandbox();
    const proxy = await proxyTo(new URL(sandbox.origin));
    expect((await fetch(`${sandbox.urls.sandbox}/workspace`)).status).toBe(200);
    const through = (headers: Record<string, string> = {}) => fetch(`${proxy.url}/sandbox/v1/workspace`, { headers });
    expect((await through()).status).toBe(401);
    const { admin_token } = (await (await fetch(`${sandbox.urls.sandbox}/workspace`)).json()) as {
      admin_token: string;
    };
    expect((await through({ authorization: `Bearer ${admin_token}` })).status).toBe(200);
  });
});

describe.each(['report', 'enforce'] as const)('OP-77: mode %s: what is not meant for it goes no further', (mode) => {
  it.each([
    ['a name that is not its own (DNS rebinding)', { Host: 'rebound.example' }],
    ['a page of another site', { Origin: 'https://elsewhere.example' }],
    ['a page of another site that says so', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of another port', { Origin: 'http://127.0.0.1:1' }],
    ['a page that hides where it is from', { Origin: 'null' }],
  ])('%s', async (_title, headers) => {
    const { asked, call } = await proxied({ mode });
    for (const line of ['GET /sandbox/v1/workspace', 'GET /rewards/v1/partner/rewards', 'GET /elsewhere', findings]) {
      const answer = await call(line, headers as Record<string, string>);
      expect(answer).toEqual({ status: 400, own: true, detail: expect.stringContaining('was not forwarded') });
    }
    expect(asked).toEqual([]);
  });

  it('a name that the operator adds, IP addresses and its own pages are well', async () => {
    const { call } = await proxied({ mode, allowedHosts: ['Sandbox.example'] });
    const own = { Host: 'localhost:4011', Origin: 'http://localhost:4011', 'Sec-Fetch-Site': 'same-origin' };
    for (const headers of [{ Host: 'sandbox.example:4011' }, { Host: '192.0.2.1:4011' }, { Host: '[::1]:4011' }, own])
      expect(await call('GET /x', headers as Record<string, string>)).toEqual(passed);
  });
});

describe.each(['report', 'enforce'] as const)('OP-78: mode %s: what a sandbox calls by itself', (mode) => {
  const marked = { [outgoingHeader]: '1' };
  const webhook = { ...marked, 'webhook-id': 'MSG-1', 'webhook-signature': 'v1,x', 'Content-Length': '0' };

  it.each(['GET /sandbox/v1/workspace', 'GET /rewards/v1/partner/rewards', 'GET /portal/ended', 'GET /x', findings])(
    '%s is refused',
    async (line) => {
      const { asked, call } = await proxied({ mode });
      for (const headers of [marked, { ...marked, 'X-Sandbox-Own-Call': 'x' }])
        expect(await call(line, headers)).toMatchObject({ status: 403, own: true });
      expect(asked).toEqual([]);
    },
  );

  it('a client is what it may call', async () => {
    const { asked, call } = await proxied({ mode });
    // In mode enforce it is no call of the contract; who made it is no matter then.
    const line = 'GET /client/nothing';
    expect(await call(line, marked)).toMatchObject({ status: mode === 'report' ? 200 : 400 });
    expect(asked.length).toBe(mode === 'report' ? 1 : 0);
    expect(await call('GET /clients', marked)).toMatchObject({ status: 403 });
  });

  it('a webhook goes where a receiver of webhooks is behind the proxy, and nowhere else', async () => {
    const receiver = await proxied();
    const { call } = await proxied({ upstreams: { webhook: receiver.upstream } });
    expect(await call('POST /hooks', webhook)).toEqual(passed);
    expect(await call('POST /sandbox/v1/reset', webhook)).toMatchObject({ status: 403 });
    expect(receiver.asked).toMatchObject([{ url: '/hooks', host: receiver.upstream.host }]);
    const without = await proxied({ mode });
    expect(await without.call('POST /hooks', webhook)).toMatchObject({ status: 403 });
    expect(without.asked).toEqual([]);
  });
});

describe('OP-65: what it found is read as the control API is', () => {
  const bearer = { Authorization: `Bearer ${token}` };

  it('on this machine without a token, as long as none is given', async () => {
    const { call } = await proxied();
    expect(await call(findings)).toMatchObject({ status: 200, own: true });
    expect(await call(findings, bearer)).toMatchObject({ status: 401 });
    expect(await call('GET /__proxy/else')).toMatchObject({ status: 404 });
  });

  it.each(['Via', 'Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'])(
    'not behind another proxy, which says so by %s',
    async (name) => {
      const { call } = await proxied();
      expect(await call(findings, { [name]: '127.0.0.1' })).toMatchObject({ status: 401 });
      expect(await call('GET /__proxy/else', { [name]: '127.0.0.1' })).toMatchObject({ status: 401 });
    },
  );

  it('with the token where one is given, also on this machine', async () => {
    const { call } = await proxied({ adminToken: token });
    expect(await call(findings)).toEqual({ status: 401, own: true, detail: expect.stringContaining('admin token') });
    expect(await call(findings, { Authorization: 'Bearer another-token-than-that' })).toMatchObject({ status: 401 });
    expect(await call(findings, bearer)).toMatchObject({ status: 200, own: true });
    expect(await call(findings, { ...bearer, Via: '1.1 front' })).toMatchObject({ status: 200, own: true });
  });

  it('with the token alone where other machines reach it, and by nobody where there is none', async () => {
    const open = await proxied({ host: '0.0.0.0' });
    expect(await open.call(findings)).toMatchObject({ status: 401, detail: expect.stringContaining('--admin-token') });
    const { call } = await proxied({ host: '0.0.0.0', adminToken: token });
    expect(await call(findings)).toMatchObject({ status: 401 });
    expect(await call(findings, bearer)).toMatchObject({ status: 200 });
  });

  it('says how to ask', async () => {
    const { proxy } = await proxied({ adminToken: token });
    const answer = await fetch(`${proxy.url}/__proxy/findings`);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});
