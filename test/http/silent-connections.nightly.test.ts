/** Tests more idle connections than a sandbox accepts (OP-82). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Agent, fetch } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';

it('OP-82: with 5,600 idle connections that opened concurrently, /health answers within a second, and answers each of 200 new callers', async () => {
  const sandbox = await testSandbox();
  const port = Number(new URL(sandbox.origin).port);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    return once(socket, 'connect');
  };
  await Promise.all(Array.from({ length: 5_600 }, open));
  const start = performance.now();
  expect((await fetch(`${sandbox.urls.sandbox}/health`, { dispatcher: new Agent() })).status).toBe(200);
  expect(performance.now() - start).toBeLessThan(1000);
  const statuses: number[] = [];
  for (let at = 0; at < 200; at += 1) {
    const dispatcher = new Agent();
    statuses.push((await fetch(`${sandbox.urls.sandbox}/health`, { dispatcher })).status);
    await dispatcher.destroy();
  }
  expect(statuses).toEqual(statuses.map(() => 200));
}, 300_000);
