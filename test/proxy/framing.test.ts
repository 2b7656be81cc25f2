/** Tests message boundaries. Each request of a caller must be one request behind the proxy and receive its own reply (OP-88). */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { passedHeaders } from '../../sandbox/proxy/framing.ts';
import { socketServer } from '../harness/http-server.ts';
import { proxyTo, sharedChecker } from '../harness/proxy.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { checkProblem, isComplete, ok, openConnection, recorder, sendBytes } from './recorder.ts';

const host = 'Host: 127.0.0.1';
const addedHeaders = 'X-Forwarded-For: 127.0.0.1\r\nVia: 1.1 rewards-sandbox-proxy\r\n';
/** Builds a request from these lines, with `Connection: close`. */
const request = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, host, ...headers, 'Connection: close', '', ''].join('\r\n');

/** Builds a POST request from the rest of its text: headers, an empty line and a body. */
const post = (rest: string) => `POST /x HTTP/1.1\r\n${host}\r\n${rest}`;
const read = (rest = '\r\n') => `GET /x HTTP/1.1\r\n${host}\r\n${rest}`;

// Paths outside the contracts are forwarded in both modes.
describe.each(['report', 'enforce'] as const)('OP-88: mode %s', (mode) => {
  const behind = async () => {
    const upstream = await recorder((input) => (isComplete(input) ? ok('theirs') : undefined));
    return { upstream, proxy: await proxyTo(upstream.url, { mode }) };
  };

  const one = 'Content-Length: 1\r\n';
  const chunks = 'Transfer-Encoding: CHUNKED\r\n\r\n5;a=b\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n';
  const offer = 'Upgrade: h2c\r\nHTTP2-Settings: AAMA\r\nConnection: upgrade, http2-settings\r\n';
  const twice = 'Authorization: a\r\nauthorization: b\r\n';
  const of10 = addedHeaders.replace('1.1', '1.0');

  it.each([
    ['a length', post('Content-Length: 5\r\n\r\nhello'), `Content-Length: 5\r\n${addedHeaders}`, 'hello'],
    ['chunks', post(chunks), `${addedHeaders}Transfer-Encoding: chunked\r\n`, '5\r\nhello\r\n0\r\n\r\n'],
    ['no body, for a method that may have one', post('\r\n'), `${addedHeaders}Content-Length: 0\r\n`, ''],
    ['no body, for a method without one', read(), addedHeaders, ''],
    ['a length, for a method without a body', read(`${one}\r\n.`), one + addedHeaders, '.'],
    ['HTTP/1.0', `POST /x HTTP/1.0\r\n${host}\r\n${one}\r\n.`, one + of10, '.'],
    ['a supported expectation', post(`Expect: 100-continue\r\n${one}\r\n.`), one + addedHeaders, '.'],
    ['an unknown expectation', post(`Expect: tea\r\n${one}\r\n.`), one + addedHeaders, '.'],
    ['an offer of another protocol, which is ignored', read(`${offer}\r\n`), addedHeaders, ''],
    ['two Authorization headers, which its host refuses', read(`${twice}\r\n`), twice + addedHeaders, ''],
    [
      'more headers than the limit of Node',
      read(`${'a:\r\n'.repeat(2500)}${one}\r\n.`),
      `${'a: \r\n'.repeat(2500)}${one}${addedHeaders}`,
      '.',
    ],
  ])('a request with %s is forwarded byte for byte', async (_title, bytes, headers, body) => {
    const { upstream, proxy } = await behind();
    // The second request closes the connection, if it is still open.
    const replies = await sendBytes(
      proxy.url,
      bytes.replace('\r\n\r\n', '\r\nX-First: 1\r\n\r\n') + request('GET /end'),
    );
    const first = { status: 200, own: false, body: 'theirs' };
    expect(replies).toEqual(/HTTP\/1\.0|Upgrade/.test(bytes) ? [first] : [first, first]);
    const [line = ''] = bytes.replace('1.0', '1.1').split('\r\n', 1);
    expect(upstream.requests()[0]?.replace('X-First: 1\r\n', '')).toBe(
      `${line}\r\n${host}\r\n${headers}Connection: keep-alive\r\n\r\n${body}`,
    );
  });

  it.each([
    ['Content-Length', 'Content-Length: 40'],
    ['Transfer-Encoding', 'Transfer-Encoding: chunked'],
    ['Host', ''],
    ['Authorization', 'Authorization: Bearer t'],
    ['Cookie', 'Cookie: c=1'],
    ['Origin', 'Origin: http://127.0.0.1'],
    ['Idempotency-Key', 'Idempotency-Key: k'],
    ['traceparent', `traceparent: 00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`],
    ['X-Forwarded-Host', 'X-Forwarded-Host: other.example'],
    ['X-Sandbox-Call', 'X-Sandbox-Call: 1'],
  ])('Connection cannot remove %s', async (name, line) => {
    const { upstream, proxy } = await behind();
    const inner = request('GET /smuggled').slice(0, 40);
    const body = name === 'Transfer-Encoding' ? `28\r\n${inner}\r\n0\r\n\r\n` : name === 'Content-Length' ? inner : '';
    const lines = [`POST /x HTTP/1.1`, host, ...(line === '' ? [] : [line]), `Connection: close, ${name}`, '', body];
    await sendBytes(proxy.url, lines.join('\r\n'));
    const [forwarded = '', ...more] = upstream.requests();
    expect(more).toEqual([]);
    expect(forwarded.toLowerCase()).toContain(`\r\n${(line === '' ? host : line).toLowerCase()}\r\n`);
    expect(forwarded.endsWith(`\r\n\r\n${body}`)).toBe(true);
  });

  it('hop-by-hop headers, and headers that Connection names, are not forwarded', async () => {
    const { upstream, proxy } = await behind();
    const hops = ['Keep-Alive: 5', 'TE: trailers', 'Proxy-Authorization: Basic x', 'Proxy-Connection: close'];
    await sendBytes(proxy.url, request('GET /x', ...hops, 'X-Hop: 1', 'Connection: x-hop'));
    expect(upstream.requests()).toEqual([read(`${addedHeaders}Connection: keep-alive\r\n\r\n`)]);
  });

  it('the peer is appended to earlier entries of X-Forwarded-For and Via', async () => {
    const { upstream, proxy } = await behind();
    const before = ['X-Forwarded-For: 192.0.2.1', 'Via: 1.0 fred', 'x-forwarded-for: 192.0.2.2'];
    await sendBytes(proxy.url, request('GET /x', ...before));
    expect(upstream.requests()[0]).toContain(
      '\r\nX-Forwarded-For: 192.0.2.1, 192.0.2.2, 127.0.0.1\r\nVia: 1.0 fred, 1.1 rewards-sandbox-proxy\r\n',
    );
  });

  const unclear: readonly (readonly [string, string, number?])[] = [
    ['a length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
    ['two lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!')],
    ['the same length twice', post('Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello')],
    ['a list of lengths', post('Content-Length: 5, 5\r\n\r\nhello')],
    ['a length with a sign', post('Content-Length: +5\r\n\r\nhello')],
    ['a length with a space before the colon', post('Content-Length : 5\r\n\r\nhello')],
    ['another coding', post('Transfer-Encoding: gzip\r\n\r\nhello')],
    ['two codings', post('Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n')],
    ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
    ['a final coding that is not chunked', post('Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n')],
    ['a coding behind a control character', post('Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n')],
    ['chunks in HTTP/1.0', `POST /x HTTP/1.0\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an invalid chunk size', post('Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n')],
    ['a chunk that is longer than its size', post('Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n')],
    ['a line end without CR behind a size', post('Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n')],
    ['a length behind its chunks', post('Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n')],
    ['a folded header', post('X: a\r\n b\r\n\r\n')],
    ['line ends without CR', `GET /x HTTP/1.1\nHost: a\n\n`],
    ['a bare CR in a header', read('X: a\rContent-Length: 5\r\n\r\n')],
    ['a NUL in a header', read('X: a\0b\r\n\r\n')],
    ['no Host', 'GET /x HTTP/1.1\r\n\r\n'],
    ['no Host, in HTTP/1.0', 'GET /x HTTP/1.0\r\n\r\n'],
    ['two Hosts', read('Host: other\r\n\r\n')],
    ['a list of Hosts', 'GET /x HTTP/1.1\r\nHost: a, b\r\n\r\n'],
    ['two Origins', read('Origin: http://a\r\nOrigin: http://b\r\n\r\n')],
    ['a control character in its path', `GET /x\x01y HTTP/1.1\r\n${host}\r\n\r\n`],
    ['DEL in its path', `GET /x\x7fy HTTP/1.1\r\n${host}\r\n\r\n`],
    ['a byte beyond ASCII in its path', `GET /x\xe9y HTTP/1.1\r\n${host}\r\n\r\n`],
    ['a dot segment', `GET /x/../y HTTP/1.1\r\n${host}\r\n\r\n`],
    ['a percent-encoded dot segment', `GET /client/%2e%2e/sandbox HTTP/1.1\r\n${host}\r\n\r\n`],
    ['an empty segment', `GET //x HTTP/1.1\r\n${host}\r\n\r\n`],
    ['a path that is not UTF-8', `GET /%ff HTTP/1.1\r\n${host}\r\n\r\n`],
    ['a fragment', `GET /x#y HTTP/1.1\r\n${host}\r\n\r\n`],
    ['an address for a target', `GET http://127.0.0.1/x HTTP/1.1\r\n${host}\r\n\r\n`],
    ['an authority for a target', `GET 127.0.0.1:80 HTTP/1.1\r\n${host}\r\n\r\n`],
    ['an asterisk for a target', `OPTIONS * HTTP/1.1\r\n${host}\r\n\r\n`],
    ['CONNECT', `CONNECT 127.0.0.1:80 HTTP/1.1\r\n${host}\r\n\r\nGET /x HTTP/1.1\r\n${host}\r\n\r\n`],
    ['an unknown method', `BREW /x HTTP/1.1\r\n${host}\r\n\r\n`],
    ['HTTP/0.9', 'GET /x HTTP/0.9\r\n\r\n'],
    ['HTTP/2', `GET /x HTTP/2.0\r\n${host}\r\n\r\n`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a head beyond 16 KiB', read(`X: ${'x'.repeat(17 * 1024)}\r\n\r\n`), 431],
    ['a path beyond 16 KiB', `GET /${'x'.repeat(17 * 1024)} HTTP/1.1\r\n${host}\r\n\r\n`, 431],
  ];

  it.each(unclear)(
    'a request with %s is refused, and the bytes after it are no request',
    async (_title, bytes, status = 400) => {
      const { upstream, proxy } = await behind();
      const replies = await sendBytes(proxy.url, `${bytes}GET /smuggled HTTP/1.1\r\n${host}\r\n\r\n`);
      expect(replies).toEqual([
        { status, own: true, body: expect.stringContaining('"origin":"rewards-sandbox-proxy"') },
      ]);
      expect(checkProblem(JSON.parse(replies[0]?.body ?? ''))).toBeUndefined();
      expect(upstream.requests().filter(isComplete)).toEqual([]);
      // Other callers are not affected.
      expect(await sendBytes(proxy.url, request('GET /next'))).toEqual([{ status: 200, own: false, body: 'theirs' }]);
    },
  );

  it('pipelined calls get their own replies, and are processed in order', async () => {
    const paths: string[] = [];
    const upstream = await recorder((input) => {
      if (!isComplete(input)) return undefined;
      const [, path = ''] = /^\w+ (\S+)/.exec(input) ?? [];
      paths.push(path);
      return ok(path);
    });
    const proxy = await proxyTo(upstream.url, { mode });
    const body = request('GET /smuggled');
    const rest = ` HTTP/1.1\r\n${host}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const posted = ['/0', '/1', '/2', '/3', '/4'];
    const pipelined = posted.map((path) => `POST ${path}${rest}`).join('') + request('GET /5');
    const replies = await sendBytes(proxy.url, pipelined);
    expect([replies.map((reply) => reply.body), paths]).toEqual([
      [...posted, '/5'],
      [...posted, '/5'],
    ]);
  });

  it('a complete request gets its reply even if garbage follows it', async () => {
    const { upstream, proxy } = await behind();
    const first = { status: 200, own: false, body: 'theirs' };
    expect(await sendBytes(proxy.url, `${read()}${read()}nonsense\r\n\r\n`)).toEqual([first, first]);
    expect(upstream.requests()).toHaveLength(2);
  });

  it.each([
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc'],
    ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc'],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['the status 000', 'HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\nok'],
    ['the status 050', 'HTTP/1.1 050 Early\r\nContent-Length: 2\r\n\r\nok'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['only an informational status', 'HTTP/1.1 199 Soon\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxyz'],
    ['a control character in its reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\nok'],
    ['a DEL in its reason', 'HTTP/1.1 200 O\x7fK\r\nContent-Length: 2\r\n\r\nok'],
    ['a control character in a header', 'HTTP/1.1 200 OK\r\nX: a\x01b\r\nContent-Length: 2\r\n\r\nok'],
    ['HTTP/0.9', 'HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['no head at all', ''],
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a head without an end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}`],
  ])('a reply with %s: 502, and the next call succeeds', async (_title, bytes) => {
    const upstream = await recorder((input) => (input.includes('/next') ? ok('theirs') : bytes));
    const proxy = await proxyTo(upstream.url, { mode });
    // A call that matches a contract is also validated. In `enforce` mode, this request would be refused.
    const path = mode === 'report' ? '/rewards/v1/x' : '/x';
    const two = `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`;
    const replies = await sendBytes(proxy.url, two + request('GET /next'));
    expect(replies.map(({ status, own, body }) => [status, own, own ? '' : body])).toEqual([
      [502, true, ''],
      [200, false, 'theirs'],
    ]);
    expect(checkProblem(JSON.parse(replies[0]?.body ?? ''))).toBeUndefined();
  });

  it.each([
    ['a body that is shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort'],
    ['chunks without a final chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n'],
    ['an invalid chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\nzz\r\n'],
  ])('a reply with %s breaks the connection', async (_title, bytes) => {
    const upstream = await recorder((input) => (input.includes('/next') ? ok('theirs') : bytes));
    const proxy = await proxyTo(upstream.url, { mode });
    // In `report` mode, a reply to a call that matches a contract is also copied.
    const url = proxy.url + (mode === 'report' ? '/rewards/v1/x' : '/x');
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
    expect(await (await fetch(`${proxy.url}/next`)).text()).toBe('theirs');
  });

  it.each([
    ['a body longer than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'GET'],
    ['a body where the status has none', 'HTTP/1.1 204 No Content\r\nContent-Length: 99\r\n\r\n', 'GET'],
    ['a body behind HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', 'HEAD'],
    ['one reply behind another', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'GET'],
  ])('%s does not become the reply to another call', async (_title, head, method) => {
    const upstream = await recorder((input) => (input.includes('/next') ? ok('theirs') : head + ok("another's")));
    const proxy = await proxyTo(upstream.url, { mode });
    const first = await fetch(`${proxy.url}/x`, { method });
    expect([first.status < 300, await first.text()]).toEqual([
      true,
      method === 'GET' && first.status === 200 ? 'ok' : '',
    ]);
    for (let call = 0; call < 3; call += 1) expect(await (await fetch(`${proxy.url}/next`)).text()).toBe('theirs');
  });
});

const nowhere = new URL('http://127.0.0.1:1');

/** Builds a keep-alive reply. */
const keepAliveReply = (text: string) => ok(text).replace('\r\n', '\r\nKeep-Alive: timeout=5\r\n');

/**
 * Starts a keep-alive server that sends extra bytes after the first reply on each connection. `total` counts all
 * connections, and `open` counts the open ones.
 */
async function keepAliveServer(first = '', behind = '', late = false) {
  const state = { total: 0, open: 0 };
  const url = await socketServer((socket) => {
    state.total += 1;
    state.open += 1;
    socket.once('close', () => {
      state.open -= 1;
    });
    let calls = 0;
    socket.on('data', (chunk) => {
      calls += 1;
      if (!chunk.includes('/x ') || calls > 1) return socket.write(keepAliveReply('theirs'));
      socket.write(late ? first : first + behind);
      if (late) setImmediate(() => socket.write(behind));
    });
  });
  return { url, state };
}

describe('OP-88: the proxy reuses connections; those to a server of your own, for the calls of one connection only', () => {
  const keptOpen = 'Keep-Alive: timeout=5\r\n';
  const body = `HTTP/1.1 200 OK\r\n${keptOpen}Content-Length: 2\r\n\r\nok`;
  const another = keepAliveReply('of another');

  it.each([
    ['a second reply', 'GET', body, another, 'ok'],
    ['more than its length', 'GET', body, 'k and more', 'ok'],
    ['a body behind HEAD', 'HEAD', `HTTP/1.1 200 OK\r\n${keptOpen}Content-Length: 99\r\n\r\n`, another, ''],
    ['a body where the status has none', 'GET', `HTTP/1.1 204 No Content\r\n${keptOpen}\r\n`, another, ''],
  ])('%s never becomes a reply, neither immediately nor late', async (_title, method, first, behind, expectedBody) => {
    for (const late of [false, true]) {
      const { url } = await keepAliveServer(first, behind, late);
      const own = { upstreams: { client: url } };
      for (const proxy of [await proxyTo(url), await proxyTo(nowhere, own)]) {
        expect(await (await fetch(`${proxy.url}/client/x`, { method })).text()).toBe(expectedBody);
        for (let call = 0; call < 4; call += 1) {
          // Wait until the late bytes have arrived.
          await new Promise((resolve) => setImmediate(resolve));
          expect(await (await fetch(`${proxy.url}/client/next`)).text()).toBe('theirs');
        }
      }
    }
  });

  it('one connection serves the calls of all callers, one after the other', async () => {
    const { url, state } = await keepAliveServer();
    const proxy = await proxyTo(url);
    for (let call = 0; call < 5; call += 1) expect(await (await fetch(`${proxy.url}/next`)).text()).toBe('theirs');
    expect(state.total).toBe(1);
  });

  it('a connection to a server of your own serves one caller only, and closes with its connection', async () => {
    const { url, state } = await keepAliveServer();
    const proxy = await proxyTo(nowhere, { upstreams: { client: url } });
    const callers = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })];
    const call = (agent: Agent) =>
      new Promise<string>((resolve, reject) => {
        const took = (reply: IncomingMessage) => void text(reply).then(resolve, reject);
        get(`${proxy.url}/client/next`, { agent }, took).on('error', reject);
      });
    for (let round = 0; round < 3; round += 1) for (const caller of callers) expect(await call(caller)).toBe('theirs');
    expect([state.total, state.open]).toEqual([2, 2]);
    callers[0]?.destroy();
    await vi.waitFor(() => expect(state.open).toBe(1));
    expect(await call(callers[1] as Agent)).toBe('theirs');
    expect(state.total).toBe(2);
    callers[1]?.destroy();
    await vi.waitFor(() => expect(state.open).toBe(0));
  });
});

it('Connection cannot remove a header of a contract', async () => {
  const { contracts } = sharedChecker();
  const names = Object.values(contracts).flatMap((side) =>
    side.flatMap(({ requestRule, replyRules }) => [
      ...requestRule.headers,
      ...[...replyRules.values()].flatMap(({ headers }) => headers),
    ]),
  );
  const removable = [...new Set(names)].filter(
    (name) => !passedHeaders(['Connection', name, name, '1']).includes(name),
  );
  expect(names).toContain('idempotency-key');
  expect(removable).toEqual([]);
});

it('a request that the sandbox refuses has the same status through the proxy', async () => {
  const sandbox = await testSandbox();
  const proxy = await proxyTo(new URL(sandbox.origin));
  const type = 'Content-Type: application/json';
  const long = 'x'.repeat(17 * 1024);
  const cases = [
    request('GET /rewards/v1/partner/rewards', 'Authorization: a', 'authorization: a'),
    request('GET /rewards/nowhere'),
    request('PUT /rewards/v1/partner/webhooks'),
    request('GET /rewards/v1/partner/rewards', `X-Long: ${long}`),
    request(`GET /rewards/v1/partner/rewards?cursor=${long}`),
    `${request('POST /client/creditPoints', type, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    `${request('POST /client/creditPoints', type, 'Content-Length: 5', 'Content-Length: 6')}{"a":1`,
    `${request('POST /client/creditPoints', 'Content-Type: text/plain', 'Content-Length: 2')}{}`,
    `${request('POST /microsite/codes', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    request('GET /portal/ended', `X-Long: ${long}`),
    'nonsense\r\n\r\n',
  ];
  for (const bytes of cases) {
    const [direct] = await sendBytes(sandbox.origin, bytes);
    const through = await sendBytes(proxy.url, bytes);
    expect([bytes, ...through.map(({ status }) => status)]).toEqual([bytes, direct?.status]);
    expect(direct?.status).toBeGreaterThanOrEqual(400);
  }
});

describe('OP-88: limits of callers', () => {
  it.each([
    ['a head that does not end', `GET /x HTTP/1.1\r\n${host}\r\n`],
    ['a body that never arrives', `POST /x HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\n\r\nhel`],
    ['a chunk that never arrives', `POST /x HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`],
  ])('%s: the proxy stops waiting after the time limit of a request', async (_title, bytes) => {
    const upstream = await recorder((input) => (isComplete(input) ? ok('theirs') : undefined));
    for (const mode of ['report', 'enforce'] as const) {
      const proxy = await proxyTo(upstream.url, { mode, limits: { requestMilliseconds: 200 } });
      const before = performance.now();
      expect(await sendBytes(proxy.url, bytes)).toMatchObject([{ status: 408, own: true }]);
      expect(performance.now() - before).toBeLessThan(2000);
    }
    expect(upstream.requests().filter(isComplete)).toEqual([]);
  });

  it('calls beyond the limits of concurrent calls, and of waiting calls per connection, are refused', async () => {
    const slowCallArrived = Promise.withResolvers<void>();
    const pendingReplies: (() => void)[] = [];
    const upstream = await recorder((input, socket) => {
      if (!input.includes('/slow')) return ok('theirs');
      pendingReplies.push(() => socket.end(ok('late')));
      slowCallArrived.resolve();
      return undefined;
    });
    const proxy = await proxyTo(upstream.url, { limits: { calls: 1, waiting: 2 } });
    const slow = `GET /slow HTTP/1.1\r\n${host}\r\n\r\n`;
    const others = `GET /x HTTP/1.1\r\n${host}\r\n\r\n`.repeat(4);
    const first = sendBytes(proxy.url, slow + others);
    await slowCallArrived.promise;
    const busy = await fetch(`${proxy.url}/y`);
    const problem = checkProblem(await busy.json());
    expect([busy.status, busy.headers.get('retry-after'), problem]).toEqual([503, '1', undefined]);
    for (const answer of pendingReplies) answer();
    const seen = (await first).map(({ status, body }) => (status === 200 ? body : status));
    expect(seen).toEqual(['late', 'theirs', 'theirs', 503]);
    expect(upstream.requests()).toHaveLength(3);
    expect((await fetch(`${proxy.url}/y`)).status).toBe(200);
  });

  it.each([
    ['report', 200],
    ['enforce', 400],
  ] as const)(
    'OP-88: mode %s: slow uploads take no place of concurrent calls before their last byte',
    async (mode, last) => {
      const upstream = await recorder((input) => (isComplete(input) ? ok('theirs') : undefined));
      const proxy = await proxyTo(upstream.url, { mode, limits: { calls: 1 } });
      // In `enforce` mode, a call whose path is similar to a contract's path is refused after it has been read.
      const head = ['POST /client/creditPoint HTTP/1.1', host, 'Expect: 100-continue', 'Content-Length: 5', '', ''];
      const uploads = Array.from({ length: 5 }, () => openConnection(proxy.url, `${head.join('\r\n')}hel`));
      const begun = await Promise.all(uploads.map((socket) => once(socket, 'data')));
      expect(begun.map(String)).toEqual(uploads.map(() => 'HTTP/1.1 100 Continue\r\n\r\n'));
      expect(await sendBytes(proxy.url, request('GET /x'))).toMatchObject([{ status: 200, body: 'theirs' }]);
      const statuses: number[] = [];
      for (const socket of uploads) {
        socket.write('lo');
        statuses.push(Number(/^HTTP\/1\.1 (\d+)/.exec(String(await once(socket, 'data')))?.[1]));
        socket.destroy();
      }
      expect(statuses).toEqual(uploads.map(() => last));
    },
  );

  it('OP-88: an upload takes a place of concurrent calls with its last byte', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const upstream = await recorder((input, socket) => {
      if (!isComplete(input)) return undefined;
      if (!input.includes('/slow')) return ok('theirs');
      arrived.resolve(() => socket.end(ok('late')));
      return undefined;
    });
    const proxy = await proxyTo(upstream.url, { limits: { calls: 1 } });
    const upload = openConnection(proxy.url, `POST /slow HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\n\r\nhel`);
    expect(await sendBytes(proxy.url, request('GET /x'))).toMatchObject([{ status: 200, body: 'theirs' }]);
    upload.write('lo');
    const answer = await arrived.promise;
    expect(await sendBytes(proxy.url, request('GET /x'))).toMatchObject([{ status: 503, own: true }]);
    answer();
    await once(upload, 'data');
    upload.destroy();
    await expect.poll(() => sendBytes(proxy.url, request('GET /x'))).toMatchObject([{ status: 200 }]);
  });

  it('connections beyond the limit are closed', async () => {
    const upstream = await recorder(() => ok('theirs'));
    const proxy = await proxyTo(upstream.url, { limits: { connections: 1, requestMilliseconds: 500 } });
    const first = sendBytes(proxy.url, 'GET /x HTTP/1.1\r\n');
    expect(await sendBytes(proxy.url, request('GET /x'))).toEqual([]);
    expect(await first).toMatchObject([{ status: 408 }]);
    expect(await sendBytes(proxy.url, request('GET /x'))).toMatchObject([{ status: 200 }]);
  });

  it('a server that stalls in the middle of a reply is dropped after a while', async () => {
    const upstream = await recorder((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort');
      return undefined;
    });
    for (const mode of ['report', 'enforce'] as const) {
      const proxy = await proxyTo(upstream.url, { mode, replyMilliseconds: 200 });
      await expect(fetch(`${proxy.url}/x`).then((answer) => answer.text())).rejects.toThrow();
    }
  });
});
