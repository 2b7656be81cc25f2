/** Tests the proxy's two modes, its own replies, and its connections (OP-90). */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selfSigned } from '../../sandbox/http/x509.ts';
import { byteServer, httpServer } from '../harness/http-server.ts';
import { proxyTo } from '../harness/proxy.ts';
import { exchangeBytes } from '../harness/socket.ts';
import { checkProblem, proxySchemas } from './recorder.ts';

const trace = 'ab'.repeat(16);
const page = '{"items":[],  "next_cursor":null,"has_more":false}';
const token = { authorization: 'token' };
const json = { 'Content-Type': 'application/json', 'X-Trace-Id': trace };
const listing = '/rewards/v1/partner/rewards';

const checkReport = proxySchemas.check('/components/schemas/Report');

/**
 * Starts an upstream server that sends the same reply to each call, and a proxy in front of it. `call` makes a call through the proxy and
 * reads the whole reply. `paths` lists the calls that the server received.
 */
async function proxied(
  status: number,
  headers: Record<string, string>,
  body: string | Buffer,
  options: Parameters<typeof proxyTo>[1] = {},
) {
  const paths: (string | undefined)[] = [];
  const url = await httpServer((request, response) => {
    paths.push(request.url);
    request.resume().once('end', () => response.writeHead(status, headers).end(body));
  });
  const { book, ...proxy } = await proxyTo(url, options);
  const call = async (path = listing, init: RequestInit = { headers: token }) => {
    const answer = await fetch(proxy.url + path, init);
    return { status: answer.status, own: answer.headers.get('x-answered-by'), text: await answer.text() };
  };
  /** Makes a call that the proxy refuses itself. Returns the problem. */
  const refusal = async (path?: string, init?: RequestInit) => {
    const { own, text, ...rest } = await call(path, init);
    expect([own, checkProblem(JSON.parse(text))]).toEqual(['rewards-sandbox-proxy', undefined]);
    return { ...JSON.parse(text), ...rest };
  };
  return { url, proxy, paths, call, refusal, report: () => book.report };
}
const enforce = { mode: 'enforce' } as const;

describe('mode report: every call is forwarded, and findings are recorded', () => {
  it('a reply that violates the contract arrives unchanged', async () => {
    const { call, report } = await proxied(203, json, 'tea');
    expect(await call()).toEqual({ status: 203, own: null, text: 'tea' });
    const undocumented = { code: 'reply.status.undocumented', party: 'host', operation: 'listRewards', trace };
    expect(report().findings).toMatchObject([undocumented]);
  });

  it("a bad request is forwarded, with a finding against the caller, also at a workspace's own address", async () => {
    const { call, report, paths } = await proxied(200, json, page);
    const own = '/w/5f0c2e8d1b7a4c3390d1e2f3a4b5c6d7';
    const sent = [`${listing}?limit=0`, `${own}${listing}?limit=0`, `${own}/sandbox/v1/clock`];
    for (const path of sent) await call(path);
    expect(paths).toEqual(sent);
    expect(report()).toMatchObject({
      exchanges: { checked: 2, outside: 1 },
      findings: [{ code: 'request.query.minimum', party: 'caller', operation: 'listRewards', times: 2 }],
    });
  });

  it('a webhook is recognised by its headers, and forwarded to the receiver with its own path', async () => {
    const receiver = await proxied(204, {}, '');
    const { call, report } = await proxied(200, json, page, { upstreams: { webhook: receiver.url } });
    const headers = { 'Content-Type': 'application/json', 'webhook-id': 'MSG-1', 'webhook-signature': 'v1,x' };
    const body = JSON.stringify({ type: 'catalogue.updated', timestamp: '2026-01-12T04:30:02.000Z', data: {} });
    const { status } = await call('/hooks?a=b', { method: 'POST', headers, body });
    expect([status, receiver.paths]).toEqual([204, ['/hooks?a=b']]);
    expect(report()).toMatchObject({
      exchanges: { checked: 1, outside: 0 },
      findings: [
        { code: 'request.header.required', pointer: '/headers/webhook-timestamp', operation: 'catalogueUpdated' },
        { code: 'request.body.required', pointer: '/body/data/items', party: 'caller', url: '/hooks?a=b' },
      ],
    });
  });

  it('pages are checked too: status, media type, headers and forms', async () => {
    const html = { 'Content-Type': 'text/html', 'X-Trace-Id': trace };
    const { call, report } = await proxied(200, html, '<h1>Rewards</h1>');
    const body = new URLSearchParams({ id: 'x' });
    expect(await call('/microsite/codes', { method: 'POST', body })).toMatchObject({ text: '<h1>Rewards</h1>' });
    await call('/microsite');
    const required = ['cache-control', 'referrer-policy', 'content-security-policy', 'x-content-type-options'];
    expect(report().findings.map(({ code, operation, pointer }) => [code, operation, pointer])).toEqual([
      ['request.body.required', 'requestCode', '/body/customer_id'],
      ['reply.status.undocumented', 'requestCode', '/status'],
      ...required.map((name) => ['reply.header.required', 'showSignIn', `/headers/${name}`]),
    ]);
  });

  it('a coded body is checked in its decoded form, and the same finding again is counted, not repeated', async () => {
    const body = gzipSync('{"items":[],"next_cursor":7,"has_more":false}');
    const { call, report } = await proxied(200, { ...json, 'Content-Encoding': 'gzip' }, body);
    for (let times = 0; times < 3; times += 1) await call();
    expect(report().findings).toMatchObject([{ pointer: '/body/next_cursor', times: 3 }]);
  });
});

describe.each(['report', 'enforce'] as const)('mode %s', (mode) => {
  it('a body beyond the size limit of checks passes completely, with a notice that fails nothing', async () => {
    const large = JSON.stringify({ items: [], next_cursor: 'x'.repeat(2 * 1024 * 1024), has_more: false });
    const { call, report } = await proxied(200, json, large, { mode });
    expect((await call()).text.length).toBe(large.length);
    expect(report().findings).toMatchObject([{ code: 'reply.body.unchecked', severity: 'notice' }]);
    expect(report().totals).toEqual({ errors: 0, warnings: 0, notices: 1, not_kept: 0 });
  });

  it('no server behind it, or a reply that times out: 502 from the proxy itself', async () => {
    const title = 'No response from the upstream server';
    const { refusal } = await proxied(200, json, page, { mode, sandbox: new URL('http://127.0.0.1:1') });
    expect(await refusal()).toMatchObject({ status: 502, origin: 'rewards-sandbox-proxy', title });
    const sandbox = await httpServer((request) => void request.resume());
    const late = await proxied(200, json, page, { mode, sandbox, replyMilliseconds: 50 });
    const detail = expect.stringContaining('no response within 0.05 s');
    expect(await late.refusal()).toMatchObject({ status: 502, detail });
  });
});

describe('mode enforce: a call that violates a contract is refused', () => {
  const good = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const signIn = '/rewards/v1/company/auth';

  it.each([
    ['malformed JSON', signIn, { ...good, body: '{"secret":' }, 'request.body.malformed'],
    ['a wrong type', signIn, { ...good, body: '{"secret":1}' }, 'request.body.type'],
    ['no credential', listing, {}, 'request.credential.missing'],
    ['a wrong path', '/client/v1/creditPoints', {}, 'request.url.undocumented'],
    ['an unknown method', listing, { method: 'PUT' }, 'request.method.undocumented'],
  ])('a request: %s', async (_title, path, init, code) => {
    const { refusal, paths, report } = await proxied(200, json, page, enforce);
    const title = 'Request refused by the proxy';
    expect(await refusal(path, init)).toMatchObject({ status: 400, title, findings: [{ code, party: 'caller' }] });
    expect([paths, report().totals.errors]).toEqual([[], 1]);
  });

  it('OP-67: another spelling of a path is the same path', async () => {
    const { call, refusal, paths } = await proxied(200, json, page, enforce);
    const spelled = listing.replace('rewards', '%72ewards');
    const missing = { code: 'request.credential.missing', operation: 'listRewards' };
    for (const path of [listing, spelled, listing.replace('/v1', '/%761')])
      expect(await refusal(path, {})).toMatchObject({ status: 400, findings: [missing] });
    expect(paths).toEqual([]);
    expect((await call(spelled)).status).toBe(200);
    expect(paths).toEqual([spelled]);
  });

  it('a reply: one fault is enough, and the refusal says that the server processed the call', async () => {
    const { refusal, paths } = await proxied(200, json, '{"items":[],"next_cursor":null}', enforce);
    const detail = expect.stringContaining('processed the call');
    const findings = [{ party: 'host', pointer: '/body/has_more' }];
    expect(await refusal()).toMatchObject({ status: 502, detail, findings });
    expect(paths).toHaveLength(1);
  });

  it('OP-90: a call that violates only an assumption passes, or is refused with --fail-on warning', async () => {
    const empty = { ...good, body: '{"secret":""}' };
    const issued = '{"success":true,"status":200,"token":"t","token_type":"MAC","expires_in":60}';
    const headers = { ...json, 'cache-control': 'no-store' };
    const lenient = await proxied(200, headers, issued, enforce);
    expect(await lenient.call(signIn, empty)).toMatchObject({ status: 200, text: issued });
    expect(lenient.report().findings).toMatchObject([
      { code: 'request.body.minLength', severity: 'warning', basis: 'OP-106' },
      { code: 'reply.body.const', severity: 'warning', basis: 'OP-02' },
    ]);
    const strict = await proxied(200, headers, issued, { ...enforce, failOn: 'warning' });
    expect(await strict.refusal(signIn, empty)).toMatchObject({ status: 400, findings: [{ basis: 'OP-106' }] });
    const full = { ...good, body: '{"secret":"s"}' };
    expect(await strict.refusal(signIn, full)).toMatchObject({ status: 502, findings: [{ basis: 'OP-02' }] });
    expect(strict.paths).toHaveLength(1);
  });

  it('a call that keeps the contract passes byte for byte', async () => {
    const reply = `HTTP/1.1 200 OK\r\nX-Trace-Id: ${trace}\r\ncontent-TYPE: application/json\r\nContent-Length: ${page.length}\r\n\r\n${page}`;
    const behind = await byteServer(reply);
    const proxy = await proxyTo(behind.url, enforce);
    const request = `GET ${listing} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: t\r\nConnection: close\r\n\r\n`;
    const bytes = await exchangeBytes(proxy.url, request);
    expect(bytes.toString().replace('Connection: close\r\n', '')).toBe(reply);
    expect(proxy.book.report.findings).toEqual([]);
  });
});

describe('replies of the proxy itself', () => {
  it('GET /__proxy/findings is the report, as documented in openapi/proxy.yaml', async () => {
    const { call, report } = await proxied(200, json, '{"items":[]}');
    await call();
    const { own, text } = await call('/__proxy/findings', {});
    const sent = JSON.parse(text);
    expect([own, checkReport(sent)]).toEqual(['rewards-sandbox-proxy', undefined]);
    expect(sent).toEqual(report());
    expect(sent).toMatchObject({ source: 'proxy', exchanges: { checked: 1 }, totals: { errors: 2 } });
  });

  it('another path is 404, another method 405', async () => {
    const { proxy, refusal } = await proxied(200, json, page);
    expect(await refusal('/__proxy/else', {})).toMatchObject({ status: 404 });
    expect(await refusal('/__proxy/findings', { method: 'POST' })).toMatchObject({ status: 405 });
    const posted = await fetch(`${proxy.url}/__proxy/findings`, { method: 'POST' });
    expect(posted.headers.get('allow')).toEqual('GET, HEAD');
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
