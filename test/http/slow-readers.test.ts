/** Replies that nobody reads (OP-82). */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { maxUnreadBytes, type ServerLimits } from '../../sandbox/http/limits.ts';
import { converse } from '../harness/socket.ts';
import { bareServer } from './listener.ts';

const mebibyte = 1024 * 1024;

/**
 * A server that answers every call with so many bytes; its replies, and those that have neither left nor been given up.
 */
async function answering(bytes: number, limits: Partial<ServerLimits> = {}) {
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

/** Asks and never reads. */
async function deaf(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

it('OP-82: of 220 callers who never read so many are cut off that 64 MiB wait at the most, and others are served', async () => {
  // More than the system takes of one reply by itself.
  const { origin, port, waiting } = await answering(8 * mebibyte);
  for (let asked = 0; asked < 220; asked += 20) await Promise.all(Array.from({ length: 20 }, () => deaf(port)));
  const reply = await fetch(origin);
  expect((await reply.text()).length).toBe(8 * mebibyte);
  const bytes = () => [...waiting].reduce((sum, { writableLength }) => sum + writableLength, 0);
  await expect.poll(bytes).toBeLessThanOrEqual(maxUnreadBytes);
  // Those who were not cut off still wait: nobody was without need.
  expect(bytes()).toBeGreaterThan(maxUnreadBytes / 2);
});

it('OP-82: who has waited the longest is cut off first', async () => {
  const { port, replies } = await answering(8 * mebibyte, { unreadBytes: 33 * mebibyte });
  for (let asked = 1; asked <= 6; asked += 1) {
    await deaf(port);
    await expect.poll(() => replies.length).toBe(asked);
  }
  await expect.poll(() => replies.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false, false]);
});

it('OP-82: a connection of whose reply nothing is read for a while ends', async () => {
  const { port, waiting } = await answering(16 * mebibyte, { stalled: 300 });
  const socket = await deaf(port);
  await expect.poll(() => waiting.size).toBe(1);
  await expect.poll(() => waiting.size, { timeout: 5000 }).toBe(0);
  socket.destroy();
});

it('OP-82: who reads slowly gets everything', async () => {
  const { port } = await answering(16 * mebibyte, { stalled: 1000 });
  const socket = await deaf(port);
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

it('OP-82: a connection beyond the bound is told 503, and the others go on', async () => {
  const { origin } = await answering(1, { connections: 2 });
  const get = ['GET / HTTP/1.1', 'Host: localhost', '', ''];
  const open = [converse(origin), converse(origin)];
  for (const talk of open) {
    talk.send(...get);
    await talk.waitFor(/\r\n\r\nx/);
  }
  const heard = await converse(origin).ended;
  expect(heard).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 1\r\n/);
  expect(JSON.parse(heard.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 65, status: 503 });
  for (const talk of open) {
    talk.send(...get);
    await talk.waitFor(/x[\s\S]*\r\n\r\nx/);
    talk.close();
  }
});
