/** Tests the proxy's two modes, its own replies, and its connections (OP-90). */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readContract } from '../../sandbox/contract/document.ts';
import { Schemas } from '../../sandbox/contract/schemas.ts';
import { selfSigned } from '../../sandbox/http/x509.ts';
import { byteServer, httpServer } from '../harness/http-server.ts';
import { proxyTo } from '../harness/proxy.ts';
import { exchangeBytes } from '../harness/socket.ts';

const trace = 'ab'.repeat(16);
const page = '{"items":[],  "next_cursor":null,"has_more":false}';
const token = { authorization: 'token' };
const json = { 'Content-Type': 'application/json', 'X-Trace-Id': trace };
const listing = '/rewards/v1/partner/rewards';

const contract = readContract('proxy');
const schemas = new Schemas(contract);
const checkReport = schemas.check('/components/schemas/Report');
const checkProblem = schemas.check('/components/schemas/ProxyProblem');

/** Starts an upstream server that counts its calls and sends the same reply to each. */
async function upstream(status: number, headers: Record<string, string>, body: string | Buffer) {
  let calls = 0;
  const url = await httpServer((request, response) => {
    calls += 1;
    request.resume().once('end', () => response.writeHead(status, headers).end(body));
  });
  return { url, calls: () => calls };
}

describe('mode report: every call is forwarded, and findings are recorded', () => {
  it('a reply that violates the contract arrives unchanged', async () => {
    const behind = await upstream(203, json, 'tea');
    const proxy = await proxyTo(behind.url);
    const answer = await fetch(proxy.url + listing, { headers: token });
    expect([answer.status, await answer.text(), answer.headers.has('x-answered-by')]).toEqual([203, 'tea', false]);
    expect(proxy.book.report.findings).toMatchObject([
      { code: 'reply.status.undocumented', party: 'host', operation: 'listRewards', trace },
    ]);
  });

  it('a bad request is forwarded, with a finding against the caller', async () => {
    const behind = await upstream(200, json, page);
    const proxy = await proxyTo(behind.url);
    await (await fetch(`${proxy.url}${listing}?limit=0`, { headers: token })).text();
    expect(behind.calls()).toBe(1);
    expect(proxy.book.report.findings).toMatchObject([{ code: 'request.query.minimum', party: 'caller' }]);
  });

  it("a call to a workspace's own address is checked, and forwarded unchanged", async () => {
    const paths: (string | undefined)[] = [];
    const behind = await httpServer((request, response) => {
      paths.push(request.url);
      request.resume().once('end', () => response.writeHead(200, json).end(page));
    });
    const proxy = await proxyTo(behind);
    const own = '/w/5f0c2e8d1b7a4c3390d1e2f3a4b5c6d7';
    await (await fetch(`${proxy.url}${own}${listing}?limit=0`, { headers: token })).text();
    await (await fetch(`${proxy.url}${own}/sandbox/v1/clock`)).text();
    expect(paths).toEqual([`${own}${listing}?limit=0`, `${own}/sandbox/v1/clock`]);
    expect(proxy.book.report).toMatchObject({
      exchanges: { checked: 1, outside: 1 },
      findings: [{ code: 'request.query.minimum', party: 'caller', operation: 'listRewards' }],
    });
  });

  it('a webhook is recognised by its headers, and forwarded to the receiver with its own path', async () => {
    const paths: (string | undefined)[] = [];
    const receiver = await httpServer((request, response) => {
      paths.push(request.url);
      request.resume().once('end', () => response.writeHead(204).end());
    });
    const proxy = await proxyTo(new URL('http://127.0.0.1:1'), { upstreams: { webhook: receiver } });
    const headers = { 'Content-Type': 'application/json', 'webhook-id': 'MSG-1', 'webhook-signature': 'v1,x' };
    const body = JSON.stringify({ type: 'catalogue.updated', timestamp: '2026-01-12T04:30:02.000Z', data: {} });
    const answer = await fetch(`${proxy.url}/hooks?a=b`, { method: 'POST', headers, body });
    expect([answer.status, paths]).toEqual([204, ['/hooks?a=b']]);
    expect(proxy.book.report).toMatchObject({
      exchanges: { checked: 1, outside: 0 },
      findings: [
        { code: 'request.header.required', pointer: '/headers/webhook-timestamp', operation: 'catalogueUpdated' },
        { code: 'request.body.required', pointer: '/body/data/items', party: 'caller', url: '/hooks?a=b' },
      ],
    });
  });

  it('pages are checked too: status, media type, headers and forms', async () => {
    const behind = await upstream(200, { 'Content-Type': 'text/html', 'X-Trace-Id': trace }, '<h1>Rewards</h1>');
    const proxy = await proxyTo(behind.url);
    const answer = await fetch(`${proxy.url}/microsite/codes`, {
      method: 'POST',
      body: new URLSearchParams({ id: 'x' }),
    });
    expect([answer.status, await answer.text()]).toEqual([200, '<h1>Rewards</h1>']);
    expect(proxy.book.report.findings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['request.body.required', '/body/customer_id'],
      ['reply.status.undocumented', '/status'],
    ]);
    await (await fetch(`${proxy.url}/microsite`)).text();
    const pageFindings = proxy.book.report.findings.slice(2);
    expect(pageFindings.map(({ code, operation, pointer }) => [code, operation, pointer])).toEqual(
      ['cache-control', 'referrer-policy', 'content-security-policy', 'x-content-type-options'].map((name) => [
        'reply.header.required',
        'showSignIn',
        `/headers/${name}`,
      ]),
    );
  });

  it('a coded body is checked in its decoded form', async () => {
    const behind = await upstream(200, { ...json, 'Content-Encoding': 'gzip' }, gzipSync('{"items":{}}'));
    const proxy = await proxyTo(behind.url);
    await (await fetch(proxy.url + listing, { headers: token })).text();
    expect(proxy.book.report.findings.map(({ pointer }) => pointer).sort()).toEqual([
      '/body/has_more',
      '/body/items',
      '/body/next_cursor',
    ]);
  });

  it('the same finding again is counted, not repeated', async () => {
    const behind = await upstream(200, json, '{"items":[],"next_cursor":7,"has_more":false}');
    const proxy = await proxyTo(behind.url);
    for (let call = 0; call < 3; call += 1) await (await fetch(proxy.url + listing, { headers: token })).text();
    expect(proxy.book.report.findings).toMatchObject([{ pointer: '/body/next_cursor', times: 3 }]);
  });
});

describe.each(['report', 'enforce'] as const)('mode %s', (mode) => {
  it('a body beyond the size limit of checks passes completely, with a notice that fails nothing', async () => {
    const large = JSON.stringify({ items: [], next_cursor: 'x'.repeat(2 * 1024 * 1024), has_more: false });
    const behind = await upstream(200, json, large);
    const proxy = await proxyTo(behind.url, { mode });
    const answer = await fetch(proxy.url + listing, { headers: token });
    expect((await answer.text()).length).toBe(large.length);
    expect(proxy.book.report.findings).toMatchObject([{ code: 'reply.body.unchecked', severity: 'notice' }]);
    expect(proxy.book.report.totals).toEqual({ errors: 0, warnings: 0, notices: 1, not_kept: 0 });
  });

  it('no server behind it: 502 from the proxy itself', async () => {
    const proxy = await proxyTo(new URL('http://127.0.0.1:1'), { mode });
    const answer = await fetch(proxy.url + listing, { headers: token });
    const problem = await answer.json();
    expect([answer.status, answer.headers.get('x-answered-by'), checkProblem(problem)]).toEqual([
      502,
      'rewards-sandbox-proxy',
      undefined,
    ]);
    expect(problem).toMatchObject({ origin: 'rewards-sandbox-proxy', title: 'No response from the upstream server' });
  });

  it('a reply that times out: 502 from the proxy itself', async () => {
    const silent = await httpServer((request) => void request.resume());
    const proxy = await proxyTo(silent, { mode, replyMilliseconds: 50 });
    const answer = await fetch(proxy.url + listing, { headers: token });
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('no response within 0.05 s') });
  });
});

describe('mode enforce: a call that violates a contract is refused', () => {
  const good = { method: 'POST', headers: { 'Content-Type': 'application/json' } };

  it.each([
    ['malformed JSON', '/rewards/v1/company/auth', { ...good, body: '{"secret":' }, 'request.body.malformed'],
    ['a wrong type', '/rewards/v1/company/auth', { ...good, body: '{"secret":1}' }, 'request.body.type'],
    ['no credential', listing, {}, 'request.credential.missing'],
    ['a wrong path', '/client/v1/creditPoints', {}, 'request.url.undocumented'],
    ['an unknown method', listing, { method: 'PUT' }, 'request.method.undocumented'],
  ])('a request: %s', async (_title, path, init, code) => {
    const behind = await upstream(200, json, page);
    const proxy = await proxyTo(behind.url, { mode: 'enforce' });
    const answer = await fetch(proxy.url + path, init);
    const problem = await answer.json();
    expect([answer.status, answer.headers.get('x-answered-by')]).toEqual([400, 'rewards-sandbox-proxy']);
    expect(checkProblem(problem)).toBeUndefined();
    expect(problem).toMatchObject({ title: 'Request refused by the proxy', findings: [{ code, party: 'caller' }] });
    expect(behind.calls()).toBe(0);
    expect(proxy.book.report.totals.errors).toBe(1);
  });

  it('OP-67: another spelling of a path is the same path', async () => {
    const behind = await upstream(200, json, page);
    const proxy = await proxyTo(behind.url, { mode: 'enforce' });
    for (const path of [listing, listing.replace('rewards', '%72ewards'), listing.replace('/v1', '/%761')]) {
      const answer = await fetch(`${proxy.url}${path}`);
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { findings: [{ code: 'request.credential.missing', operation: 'listRewards' }] },
      ]);
    }
    expect(behind.calls()).toBe(0);
    const good = await fetch(proxy.url + listing.replace('rewards', '%72ewards'), { headers: token });
    expect([good.status, behind.calls()]).toEqual([200, 1]);
  });

  it('a reply: the refusal says that the server processed the call', async () => {
    const behind = await upstream(200, json, '{"items":[]}');
    const proxy = await proxyTo(behind.url, { mode: 'enforce' });
    const answer = await fetch(proxy.url + listing, { headers: token });
    const problem = await answer.json();
    expect([answer.status, answer.headers.get('x-answered-by')]).toEqual([502, 'rewards-sandbox-proxy']);
    expect(checkProblem(problem)).toBeUndefined();
    expect(problem).toMatchObject({
      detail: expect.stringContaining('processed the call'),
      findings: [{ party: 'host' }, { party: 'host' }],
    });
    expect(behind.calls()).toBe(1);
  });

  it('a reply: one fault is enough', async () => {
    const behind = await upstream(200, json, '{"items":[],"next_cursor":null}');
    const proxy = await proxyTo(behind.url, { mode: 'enforce' });
    const answer = await fetch(proxy.url + listing, { headers: token });
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ findings: [{ party: 'host', pointer: '/body/has_more' }] });
  });

  it('OP-90: a call that violates only an assumption passes, or is refused with --fail-on warning', async () => {
    const empty = { ...good, body: '{"secret":""}' };
    const token = '{"success":true,"status":200,"token":"t","token_type":"MAC","expires_in":60}';
    const behind = await upstream(200, { ...json, 'cache-control': 'no-store' }, token);
    const lenient = await proxyTo(behind.url, { mode: 'enforce' });
    const lenientReply = await fetch(`${lenient.url}/rewards/v1/company/auth`, empty);
    expect([lenientReply.status, await lenientReply.text()]).toEqual([200, token]);
    expect(lenient.book.report.findings).toMatchObject([
      { code: 'request.body.minLength', severity: 'warning', basis: 'OP-106' },
      { code: 'reply.body.const', severity: 'warning', basis: 'OP-02' },
    ]);
    const strict = await proxyTo(behind.url, { mode: 'enforce', failOn: 'warning' });
    const strictReply = await fetch(`${strict.url}/rewards/v1/company/auth`, empty);
    expect([strictReply.status, await strictReply.json()]).toMatchObject([400, { findings: [{ basis: 'OP-106' }] }]);
    const full = await fetch(`${strict.url}/rewards/v1/company/auth`, { ...good, body: '{"secret":"s"}' });
    expect([full.status, await full.json()]).toMatchObject([502, { findings: [{ basis: 'OP-02' }] }]);
    expect(behind.calls()).toBe(2);
  });

  it('a call that keeps the contract passes byte for byte', async () => {
    const reply = `HTTP/1.1 200 OK\r\nX-Trace-Id: ${trace}\r\ncontent-TYPE: application/json\r\nContent-Length: ${page.length}\r\n\r\n${page}`;
    const behind = await byteServer(reply);
    const proxy = await proxyTo(behind.url, { mode: 'enforce' });
    const bytes = await exchangeBytes(
      proxy.url,
      `GET ${listing} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: t\r\nConnection: close\r\n\r\n`,
    );
    expect(bytes.toString().replace('Connection: close\r\n', '')).toBe(reply);
    expect(proxy.book.report.findings).toEqual([]);
  });
});

describe('replies of the proxy itself', () => {
  it('GET /__proxy/findings is the report, as documented in openapi/proxy.yaml', async () => {
    const behind = await upstream(200, json, '{"items":[]}');
    const proxy = await proxyTo(behind.url);
    await (await fetch(proxy.url + listing, { headers: token })).text();
    const answer = await fetch(`${proxy.url}/__proxy/findings`);
    const report = await answer.json();
    expect(answer.headers.get('x-answered-by')).toBe('rewards-sandbox-proxy');
    expect(checkReport(report)).toBeUndefined();
    expect(report).toEqual(proxy.book.report);
    expect(report).toMatchObject({ source: 'proxy', exchanges: { checked: 1 }, totals: { errors: 2 } });
  });

  it('another path is 404, another method 405', async () => {
    const proxy = await proxyTo(new URL('http://127.0.0.1:1'));
    const else_ = await fetch(`${proxy.url}/__proxy/else`);
    expect(else_.status).toBe(404);
    const posted = await fetch(`${proxy.url}/__proxy/findings`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const answer of [else_, posted]) {
      expect(answer.headers.get('x-answered-by')).toBe('rewards-sandbox-proxy');
      expect(checkProblem(await answer.json())).toBeUndefined();
    }
    const head = await fetch(`${proxy.url}/__proxy/findings`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'application/json', '']);
  });
});

it('OP-32: the proxy trusts only the certificate of the sandbox, whatever name it is for', async () => {
  const makeCertificate = () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    return { key, cert: selfSigned(privateKey, Date.now(), 1) };
  };
  const [own, another] = [makeCertificate(), makeCertificate()];
  const server = createServer(own, (_, response) => response.writeHead(200, json).end('{"items":[]}'));
  // The certificate is valid for localhost and 127.0.0.1, but not for this address.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const sandbox = new URL(`https://127.0.0.2:${(server.address() as AddressInfo).port}`);
  const statusWith = async (options: { sandboxCertificate?: string }) =>
    (await fetch((await proxyTo(sandbox, options)).url + listing)).status;
  expect(await statusWith({ sandboxCertificate: own.cert })).toBe(200);
  expect(await statusWith({ sandboxCertificate: another.cert })).toBe(502);
  expect(await statusWith({})).toBe(502);
});

it('closing ends open event streams immediately and lets calls finish', async () => {
  const callArrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const behind = await httpServer(async (request, response) => {
    if (request.url?.endsWith('/stream'))
      return void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    callArrived.resolve();
    await finish.promise;
    response.writeHead(200, json).end(page);
  });
  const proxy = await proxyTo(behind);
  const stream = await fetch(`${proxy.url}/sandbox/v1/activity/stream`);
  const call = fetch(proxy.url + listing, { headers: token });
  await callArrived.promise;
  const closed = proxy.close();
  await expect(stream.text()).rejects.toThrow();
  finish.resolve();
  expect(await (await call).text()).toBe(page);
  await closed;
});

it('closing does not wait for an unused connection', async () => {
  const proxy = await proxyTo(new URL('http://127.0.0.1:1'));
  const { hostname, port } = new URL(proxy.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const socketClosed = once(socket, 'close');
  const before = performance.now();
  await proxy.close();
  socket.resume();
  await socketClosed;
  expect(performance.now() - before).toBeLessThan(5000);
});
