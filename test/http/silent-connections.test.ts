/** Tests many concurrent callers that connect and then send nothing, or stop sending (OP-82). */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Agent, fetch } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { type Certificate, ownCertificate } from '../../sandbox/http/certificate.ts';
import type { ServerParts } from '../../sandbox/http/listen.ts';
import { toItself } from '../../sandbox/http-client/connecting.ts';
import { Outgoing, ownTerms } from '../../sandbox/http-client/outgoing.ts';
import { bareServer } from '../harness/bare-server.ts';
import { unavailable } from '../harness/envelopes.ts';
import { converse } from '../harness/socket.ts';

const connections = 20;

/** Opens connections one after another and sends `first` on each. They close after the test. */
async function crowd(port: number, size: number, first = ''): Promise<Socket[]> {
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let at = 0; at < size; at += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    if (first !== '') socket.write(first);
    sockets.push(socket);
  }
  return sockets;
}

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Sends a request on a new connection. Resolves with the first line of the reply. */
async function ask(port: number): Promise<string> {
  const [socket] = await crowd(port, 1, request);
  const [answer] = (await once(socket as Socket, 'data')) as [Buffer];
  socket?.destroy();
  return answer.toString().split('\r\n', 1)[0] ?? '';
}

it('OP-82: three times as many silent connections as the limit block no new caller: the oldest are closed', async () => {
  const { port } = await bareServer(async (_, response) => void response.end('ok'), { limits: { connections } });
  const silent = await crowd(port, 3 * connections);
  const answers: string[] = [];
  for (let at = 0; at < 30; at += 1) answers.push(await ask(port));
  expect(answers).toEqual(answers.map(() => 'HTTP/1.1 200 OK'));
  await expect.poll(() => silent.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(connections);
  expect(silent.at(0)?.closed).toBe(true);
});

it('OP-82: half a request is none: a caller that sends the first line and waits counts as silent', async () => {
  const { port } = await bareServer(async (_, response) => void response.end('ok'), { limits: { connections } });
  await crowd(port, 3 * connections, 'GET / HTTP/1.1\r\n');
  expect(await ask(port)).toBe('HTTP/1.1 200 OK');
});

it('OP-82: when none is silent, the connection that has been idle longest makes room for a new caller', async () => {
  const { port } = await bareServer(async (_, response) => void response.end('ok'), { limits: { connections } });
  const sockets = await crowd(port, connections);
  for (const socket of sockets) {
    socket.write(request);
    await once(socket, 'data');
  }
  const [first, second, ...rest] = sockets as [Socket, Socket, ...Socket[]];
  first.write(request);
  await once(first, 'data');
  expect(await ask(port)).toBe('HTTP/1.1 200 OK');
  if (!second.closed) await once(second, 'close');
  expect([first, ...rest].map(({ closed }) => closed)).toEqual([first, ...rest].map(() => false));
});

/** Creates a caller that reuses one connection for all its calls. Each call returns its status. */
function caller(url: string): () => Promise<number> {
  const dispatcher = new Agent({ connections: 1, connect: { rejectUnauthorized: false } });
  onTestFinished(() => dispatcher.destroy());
  return async () => (await fetch(url, { dispatcher })).status;
}

/** Starts a server on which every connection has a call in progress. */
async function busyServer(tls?: Certificate) {
  const served: (() => void)[] = [];
  const handle: ServerParts['handle'] = ({ url }, response) =>
    new Promise<void>((resolve) => {
      const serve = () => {
        response.end('ok');
        resolve();
      };
      if (url === '/') served.push(serve);
      else serve();
    });
  const server = await bareServer(handle, { limits: { connections }, ...(tls && { tls }) });
  return { server, served };
}

it('OP-82: a connection with a call in progress stays open; when all have one, the next gets 503', async () => {
  const { server, served } = await busyServer();
  const busy = await crowd(server.port, connections, request);
  await expect.poll(() => served.length).toBe(connections);
  const refused = await converse(server.origin).ended;
  expect(refused).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 1\r\n/);
  expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toEqual(unavailable.body);
  const answers = busy.map(async (socket) => String((await once(socket, 'data'))[0]).split('\r\n', 1)[0]);
  for (const serve of served) serve();
  expect(await Promise.all(answers)).toEqual(busy.map(() => 'HTTP/1.1 200 OK'));
});

it.each([false, true])('OP-82: no caller takes the connections of the sandbox to itself; TLS: %s', async (isSecure) => {
  const tls = isSecure ? await ownCertificate(undefined, Date.now()) : undefined;
  const { server, served } = await busyServer(tls);
  const origin = tls === undefined ? server.origin : server.origin.replace('http', 'https');
  const callers = Array.from({ length: connections }, () => caller(`${origin}/`)());
  await expect.poll(() => served.length).toBe(connections);
  const connect = toItself(() => origin, server.connect);
  const itself = new Outgoing(ownTerms, connect, () => 0);
  onTestFinished(() => itself.close());
  const call = { method: 'GET', url: `${origin}/client`, headers: {} };
  const replies = await Promise.all(Array.from({ length: 3 * connections }, () => itself.send('redeemPoints', call)));
  expect(replies.map(({ status, body }) => `${status} ${body}`)).toEqual(replies.map(() => '200 ok'));
  for (const serve of served) serve();
  expect(await Promise.all(callers)).toEqual(callers.map(() => 200));
});

it('OP-82: under TLS, silent connections make room for new callers, and a connection with a served request stays open', async () => {
  const tls = await ownCertificate(undefined, Date.now());
  const { port } = await bareServer(async (_, response) => void response.end('ok'), { tls, limits: { connections } });
  const url = `https://127.0.0.1:${port}/`;
  const first = caller(url);
  expect(await first()).toBe(200);
  await crowd(port, 3 * connections);
  expect([await first(), await caller(url)()]).toEqual([200, 200]);
});
