/** Tests that the proxy forwards requests and replies byte for byte (OP-90). */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { byteServer, httpServer } from '../harness/http-server.ts';
import { proxyTo } from '../harness/proxy.ts';
import { exchangeBytes } from '../harness/socket.ts';

const rewards = '/rewards/v1/partner/rewards';
const head = (bytes: Buffer) => bytes.toString('latin1').split('\r\n\r\n')[0] ?? '';
const body = (bytes: Buffer) => bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
/** Returns the header lines, except hop-by-hop headers. */
const lines = (text: string) =>
  text.split('\r\n').filter((line) => !/^(connection|keep-alive|transfer-encoding|host):/i.test(line));

const binary = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
const replies: readonly (readonly [string, string, string, string | Buffer])[] = [
  [
    'numbers such as 1.00 and 2^53+1',
    'GET',
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 40\r\n',
    '{"a": 1.00,  "b":9007199254740993,"c":1}',
  ],
  ['binary', 'GET', 'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 512\r\n', binary],
  [
    'a redirect, which is not followed',
    'GET',
    'HTTP/1.1 302 Found\r\nLocation: /elsewhere?x=%20\r\nContent-Length: 0\r\n',
    '',
  ],
  [
    'two Set-Cookie',
    'GET',
    'HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nset-cookie: b=2, c\r\nContent-Length: 2\r\n',
    '{}',
  ],
  [
    'a reason phrase and headers of its own',
    'GET',
    'HTTP/1.1 299 Sehr gut\r\nX-mIxEd: One\r\nX-mIxEd: Two\r\nContent-Length: 1\r\n',
    'x',
  ],
  [
    'HEAD with the Content-Length of GET',
    'HEAD',
    'HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nContent-Type: application/json\r\n',
    '',
  ],
  ['204', 'GET', 'HTTP/1.1 204 No Content\r\nX-Trace-Id: 1\r\n', ''],
  [
    'gzip, unchanged',
    'GET',
    `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${gzipSync('{"a":1}').length}\r\n`,
    gzipSync('{"a":1}'),
  ],
];

describe.each(['report', 'enforce'] as const)('mode %s: replies', (mode) => {
  // In `enforce` mode, most of these replies would rightly be refused, so they use a path outside the contracts.
  const path = mode === 'report' ? rewards : '/elsewhere';

  it.each(replies)('%s', async (_title, method, top, content) => {
    const reply = Buffer.concat([Buffer.from(`${top}Connection: close\r\n\r\n`), Buffer.from(content)]);
    const { url } = await byteServer(reply);
    const proxy = await proxyTo(url, { mode });
    const bytes = await exchangeBytes(
      proxy.url,
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    );
    expect(lines(head(bytes))).toEqual(lines(head(reply)));
    expect(body(bytes)).toEqual(Buffer.from(content));
  });

  it('chunks', async () => {
    const reply =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n6\r\nsecond\r\n0\r\nX-Sum: 11\r\n\r\n';
    const { url } = await byteServer(reply);
    const proxy = await proxyTo(url, { mode });
    const bytes = await exchangeBytes(
      proxy.url,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    );
    expect(head(bytes)).toMatch(/transfer-encoding: chunked/i);
    expect(body(bytes).toString()).toBe('5\r\nfirst\r\n6\r\nsecond\r\n0\r\nX-Sum: 11\r\n\r\n');
  });

  it('an event stream, event by event', async () => {
    const next = Promise.withResolvers<void>();
    const upstream = await httpServer(async (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Trace-Id': '0'.repeat(32) });
      response.write('data: one\n\n');
      await next.promise;
      response.end('data: two\n\n');
    });
    const proxy = await proxyTo(upstream, { mode });
    const answer = await fetch(`${proxy.url}/sandbox/v1/activity/stream`);
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    expect(decoder.decode((await reader.read()).value)).toBe('data: one\n\n');
    next.resolve();
    expect(decoder.decode((await reader.read()).value)).toBe('data: two\n\n');
    expect((await reader.read()).done).toBe(true);
    expect(proxy.book.report.findings).toEqual([]);
  });

  it('a truncated reply stays truncated', async () => {
    const { url } = await byteServer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this');
    const proxy = await proxyTo(url, { mode });
    const text = fetch(`${proxy.url}${path}`).then((answer) => answer.text());
    await expect(text).rejects.toThrow();
  });
});

describe.each(['report', 'enforce'] as const)('mode %s: requests', (mode) => {
  it.each([
    ['with a length', 'Content-Length: 43\r\n', '{"secret": "a",  "n":1.00,"m":9007199254740993}'.slice(0, 43)],
    ['in chunks', 'Transfer-Encoding: chunked\r\n', 'e\r\n{"secret":"a"}\r\n0\r\n\r\n'],
  ])('%s', async (_title, framing, requestBody) => {
    const upstream = await byteServer('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    const proxy = await proxyTo(upstream.url, { mode });
    const own = 'X-Own: a\r\nx-own: b\r\nContent-Type: application/json\r\nAccept: */*\r\nCookie: c=1\r\n';
    const path = mode === 'report' ? '/rewards/v1/company/auth?q=%2F%20+' : '/elsewhere?q=%2F%20+';
    const request = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${own}${framing}Connection: close, X-Hop\r\nX-Hop: 1\r\n\r\n${requestBody}`;
    await exchangeBytes(proxy.url, request);
    const bytes = Buffer.from(upstream.got(), 'latin1');
    const addedHeaders = 'X-Forwarded-For: 127.0.0.1\r\nVia: 1.1 rewards-sandbox-proxy\r\n';
    expect(lines(head(bytes)).sort()).toEqual(
      lines(`POST ${path} HTTP/1.1\r\n${own}${framing}${addedHeaders}`)
        .filter((line) => line !== '')
        .sort(),
    );
    expect(head(bytes)).toContain('\r\nHost: localhost\r\n');
    expect(body(bytes).toString()).toBe(requestBody);
  });
});

describe('addresses behind the proxy', () => {
  it('a separate upstream for an API, the sandbox for the rest', async () => {
    const [client, sandbox] = await Promise.all(
      ['client', 'sandbox'].map((name) => httpServer((request, response) => response.end(`${name} ${request.url}`))),
    );
    const own = new URL('/base/', client);
    const proxy = await proxyTo(sandbox as URL, { upstreams: { client: own } });
    const text = async (path: string) => (await fetch(proxy.url + path)).text();
    expect(await text('/client/getProfileAndPoints?uid=A')).toBe('client /base/getProfileAndPoints?uid=A');
    expect(await text('/rewards/v1/partner/rewards')).toBe('sandbox /rewards/v1/partner/rewards');
    expect(await text('/docs/')).toBe('sandbox /docs/');
    expect(proxy.book.report.exchanges).toEqual({ checked: 2, outside: 1, unreadable: 0 });
  });
});
