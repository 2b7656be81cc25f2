/** Tests replies that nobody reads (OP-82). */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { maxUnreadBytes, type ServerLimits } from '../../sandbox/http/limits.ts';
import { bareServer } from '../harness/bare-server.ts';

const mebibyte = 1024 * 1024;

/** Starts a server that answers every call with this many bytes. Exposes all replies, and those neither sent nor dropped yet. */
async function serverReplying(bytes: number, limits: Partial<ServerLimits> = {}) {
  const text = 'x'.repeat(bytes);
  const replies: ServerResponse[] = [];
  const waiting = new Set<ServerResponse>();
  const { origin, port } = await bareServer(
    (_, response) => {
      replies.push(response);
      waiting.add(response);
      response.once('close', () => waiting.delete(response));
      response.end(text);
      return Promise.resolve();
    },
    { limits },
  );
  return { origin, port, replies, waiting };
}

/** Sends a request and never reads. */
async function openStalledReader(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

it('OP-82: of 220 callers who never read, enough are disconnected that at most 64 MiB wait, and others are served', async () => {
  // Larger than the kernel's buffers for one reply.
  const { origin, port, waiting } = await serverReplying(8 * mebibyte);
  for (let calls = 0; calls < 220; calls += 20)
    await Promise.all(Array.from({ length: 20 }, () => openStalledReader(port)));
  const reply = await fetch(origin);
  expect((await reply.text()).length).toBe(8 * mebibyte);
  const bytes = () => [...waiting].reduce((sum, { writableLength }) => sum + writableLength, 0);
  await expect.poll(bytes).toBeLessThanOrEqual(maxUnreadBytes);
  // The others are still waiting, so the server disconnected only as many callers as necessary.
  expect(bytes()).toBeGreaterThan(maxUnreadBytes / 2);
});

it('OP-82: the caller that has waited longest is disconnected first', async () => {
  const { port, replies } = await serverReplying(8 * mebibyte, { unreadBytes: 33 * mebibyte });
  for (let calls = 1; calls <= 6; calls += 1) {
    await openStalledReader(port);
    await expect.poll(() => replies.length).toBe(calls);
  }
  await expect.poll(() => replies.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false, false]);
});

it('OP-82: a connection whose reply makes no progress for a while is closed', async () => {
  const { port, waiting } = await serverReplying(16 * mebibyte, { stalled: 300 });
  const socket = await openStalledReader(port);
  await expect.poll(() => waiting.size).toBe(1);
  await expect.poll(() => waiting.size, { timeout: 5000 }).toBe(0);
  socket.destroy();
});

it('OP-82: a slow reader gets everything', async () => {
  const { port } = await serverReplying(16 * mebibyte, { stalled: 1000 });
  const socket = await openStalledReader(port);
  let bytes = 0;
  const done = Promise.withResolvers<void>();
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 5);
    if (bytes > 16 * mebibyte) done.resolve();
  });
  socket.resume();
  await done.promise;
  expect(bytes).toBeGreaterThan(16 * mebibyte);
});
