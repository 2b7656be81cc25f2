/** Tests when a connection stays open and when it closes, after unread bodies, garbage behind a call, and slow requests (OP-39, OP-67). */
import { connect as connectTls } from 'node:tls';
import { expect, it } from 'vitest';
import { ownCertificate } from '../../sandbox/http/certificate.ts';
import type { ServerParts } from '../../sandbox/http/listen.ts';
import { bareServer } from '../harness/bare-server.ts';
import { flat } from '../harness/envelopes.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { converse, statusesIn } from '../harness/socket.ts';

const health = ['GET /sandbox/v1/health HTTP/1.1', 'Host: localhost', '', ''];
const json = 'Content-Type: application/json';
const large = 'x'.repeat(1024 * 1024);
const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;

/** Waits until the server has processed all earlier requests, by sending another one. */
async function waitForServer(origin: string): Promise<void> {
  const talk = converse(origin);
  talk.send(...health);
  await talk.waitFor(/"version"/);
  talk.close();
}

const basicOf = ({ credentials: { basic } }: TestSandbox) =>
  `Authorization: Basic ${btoa(`${basic.username}:${basic.password}`)}`;

const unread = [
  ['413 by a declared length', 413, ['POST /rewards/v1/company/auth', json, `Content-Length: ${large.length}`], large],
  ['413 in chunks', 413, ['POST /rewards/v1/company/auth', json, 'Transfer-Encoding: chunked'], chunked],
  ['413 of the client', 413, ['POST /client/api/v1/auth/generate-otp', json, `Content-Length: ${large.length}`], large],
  ['415', 415, ['POST /rewards/v1/company/auth', 'Content-Type: text/plain', `Content-Length: ${large.length}`], large],
  ['401', 401, ['POST /rewards/v1/partner/events/payment', json, `Content-Length: ${large.length}`], large],
  ['404', 404, ['POST /nowhere', json, `Content-Length: ${large.length}`], large],
  ['405', 405, ['PUT /rewards/v1/partner/rewards', json, 'Transfer-Encoding: chunked'], chunked],
] as const;

it.each(
  unread.flatMap(([name, ...rest]) => [
    [name, false, ...rest] as const,
    [`${name}, after a 100`, true, ...rest] as const,
  ]),
)(
  'OP-39: the connection stays open after a %s whose body nobody read',
  async (name, expects, status, [line, ...headers], body) => {
    const sandbox = await testSandbox();
    const own = name.startsWith('413 of the client') ? [basicOf(sandbox)] : [];
    if (expects) own.push('Expect: 100-continue');
    const talk = converse(sandbox.origin);
    talk.send(`${line} HTTP/1.1`, 'Host: localhost', ...headers, ...own, '', '');
    if (expects) await talk.waitFor(/^HTTP\/1\.1 (100|[45])/);
    talk.send(body);
    talk.send(...health);
    const replies = await talk.waitFor(/"version"/);
    expect(statusesIn(replies)).toEqual([...(expects ? [100] : []), status, 200]);
    talk.close();
  },
);

it('OP-67: garbage after calls is answered after them, each reply complete, and ends the connection', async () => {
  const sandbox = await testSandbox();
  const token = await sandbox.companyToken();
  const list = ['GET /rewards/v1/partner/rewards?limit=200 HTTP/1.1', 'Host: localhost', `Authorization: ${token}`];
  for (const times of [1, 2, 5]) {
    const talk = converse(sandbox.origin);
    talk.send(...Array.from({ length: times }, () => `${list.join('\r\n')}\r\n`), 'nonsense', '', '');
    const replies = await talk.ended;
    expect(statusesIn(replies)).toEqual([...Array.from({ length: times }, () => 200), 400]);
    const [, last = ''] = replies.split('HTTP/1.1 400 Bad Request');
    const { body } = flat(400, 53, 'Invalid request: the request is not well-formed HTTP');
    expect(JSON.parse(last.split('\r\n\r\n')[1] ?? '')).toEqual(body);
  }
});

it('OP-67: garbage after a waiting call is answered after that call', async () => {
  const sandbox = await testSandbox();
  const talk = converse(sandbox.origin);
  talk.send('GET /sandbox/v1/messages?uid=CUST0001&wait=60 HTTP/1.1', 'Host: localhost', '', 'nonsense', '', '');
  await waitForServer(sandbox.origin);
  ok(await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }));
  expect(statusesIn(await talk.ended)).toEqual([200, 400]);
});

it('OP-67: a body that turns to garbage gets one 400, in the envelope of its API', async () => {
  const sandbox = await testSandbox();
  const talk = converse(sandbox.origin);
  const head = ['POST /client/api/v1/auth/generate-otp HTTP/1.1', 'Host: localhost', json, basicOf(sandbox)];
  talk.send(...head, 'Transfer-Encoding: chunked', '', '5', '{"cus', 'garbage', '', '');
  const replies = await talk.ended;
  expect(statusesIn(replies)).toEqual([400]);
  expect(replies).toContain('"success":false');
  await waitForServer(sandbox.origin);
});

/** Starts a server that reads every body and allows 300 ms per request. Returns its origin. */
async function impatient(tls?: Awaited<ReturnType<typeof ownCertificate>>): Promise<string> {
  const handle: ServerParts['handle'] = (request, response) => {
    request
      .on('end', () => response.end('done'))
      .resume()
      .on('error', () => {});
    return Promise.resolve();
  };
  return (await bareServer(handle, { limits: { request: 300 }, ...(tls && { tls }) })).origin;
}

it.each([
  ['head', ['GET /x HTTP/1.1', 'Host: loc']],
  ['body', ['POST /x HTTP/1.1', 'Host: localhost', 'Content-Length: 5', '', 'ab']],
  ['body in chunks', ['POST /x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked', '', '5', 'ab']],
])('OP-67: a %s that is incomplete at the timeout gets 400, and the connection ends soon after', async (_, lines) => {
  const talk = converse(await impatient());
  const started = performance.now();
  talk.send(...lines);
  const replies = await talk.ended;
  expect(statusesIn(replies)).toEqual([400]);
  expect(replies).toContain('X-Problem: the request did not arrive completely in time');
  expect(performance.now() - started).toBeLessThan(2500);
});

it('OP-67: a silent connection is closed without a reply', async () => {
  expect(await converse(await impatient()).ended).toBe('');
});

it('OP-67: a slow call after another one is refused after the reply to that one', async () => {
  const talk = converse(await impatient());
  const slow = ['POST /x HTTP/1.1', 'Host: localhost', 'Content-Length: 5', '', 'ab'];
  talk.send('GET /x HTTP/1.1', 'Host: localhost', '', ...slow);
  expect(statusesIn(await talk.ended)).toEqual([200, 400]);
});

it('OP-67: a handshake that times out ends the connection', async () => {
  const tls = await ownCertificate(undefined, Date.now());
  const origin = await impatient(tls);
  expect(await converse(origin).ended).toBe('');
  const port = Number(new URL(origin).port);
  const socket = connectTls({ port, host: '127.0.0.1', ca: tls.cert, servername: 'localhost' });
  socket.on('error', () => {});
  socket.once('secureConnect', () => socket.write('GET /x HTTP/1.1\r\n'));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  expect(statusesIn(Buffer.concat(chunks).toString())).toEqual([400]);
});

it('a stopping server refuses new calls, and serves those that it needs to finish calls in progress', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: came, resolve: comes } = Promise.withResolvers<void>();
  const server = await bareServer(
    async (request, response) => {
      comes();
      if (request.url === '/slow') await released;
      response.end(request.url);
    },
    { internal: (path) => path === '/internal' },
  );
  const ask = async (path: string) => {
    const reply = await fetch(`${server.origin}${path}`);
    return { status: reply.status, text: await reply.text() };
  };
  const slow = ask('/slow');
  await came;
  const drained = server.drain(new AbortController().signal);
  expect((await ask('/new')).status).toBe(503);
  expect(await ask('/internal')).toEqual({ status: 200, text: '/internal' });
  release();
  expect(await slow).toEqual({ status: 200, text: '/slow' });
  await drained;
});
