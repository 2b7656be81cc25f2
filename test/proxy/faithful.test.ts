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
const typed = 'Content-Type: application/json\r\n';
const zipped = gzipSync('{"a":1}');
const cookies = 'Set-Cookie: a=1; Path=/\r\nset-cookie: b=2, c\r\nContent-Length: 2\r\n';
const mixed = 'X-mIxEd: One\r\nX-mIxEd: Two\r\nContent-Length: 1\r\n';
const replies: readonly (readonly [title: string, method: string, head: string, body: string | Buffer])[] = [
  [
    'numbers such as 1.00',
    'GET',
    `200 OK\r\n${typed}Content-Length: 40\r\n`,
    '{"a": 1.00,  "b":9007199254740993,"c":1}',
  ],
  ['binary', 'GET', '200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 512\r\n', binary],
  ['a redirect, which is not followed', 'GET', '302 Found\r\nLocation: /else?x=%20\r\nContent-Length: 0\r\n', ''],
  ['two Set-Cookie', 'GET', `200 OK\r\n${cookies}`, '{}'],
  ['a reason phrase and headers of its own', 'GET', `299 Sehr gut\r\n${mixed}`, 'x'],
  ['HEAD with the Content-Length of GET', 'HEAD', `200 OK\r\nContent-Length: 1234\r\n${typed}`, ''],
  ['204', 'GET', '204 No Content\r\nX-Trace-Id: 1\r\n', ''],
  ['gzip, unchanged', 'GET', `200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n`, zipped],
];
const get = (path: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;

describe.each(['report', 'enforce'] as const)('mode %s: replies', (mode) => {
  // In `enforce` mode, most of these replies would rightly be refused, so they use a path outside the contracts.
  const path = mode === 'report' ? rewards : '/elsewhere';

  it.each(replies)('%s', async (_title, method, top, content) => {
    const reply = Buffer.concat([Buffer.from(`HTTP/1.1 ${top}Connection: close\r\n\r\n`), Buffer.from(content)]);
    const { url } = await byteServer(reply);
    const proxy = await proxyTo(url, { mode });
    const bytes = await exchangeBytes(proxy.url, get(path, method));
    expect(lines(head(bytes))).toEqual(lines(head(reply)));
    expect(body(bytes)).toEqual(Buffer.from(content));
  });

  it('chunks', async () => {
    const chunks = '5\r\nfirst\r\n6\r\nsecond\r\n0\r\nX-Sum: 11\r\n\r\n';
    const { url } = await byteServer(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
    const proxy = await proxyTo(url, { mode });
    const bytes = await exchangeBytes(proxy.url, get(path));
    expect(head(bytes)).toMatch(/transfer-encoding: chunked/i);
    expect(body(bytes).toString()).toBe(chunks);
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
