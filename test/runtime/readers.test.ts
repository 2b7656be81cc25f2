/** Tests the response times of other calls while readers of the activity stream do not read (OP-59). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { flood } from '../harness/flood.ts';
import { order } from '../harness/orders.ts';
import { raw, testSandbox } from '../harness/sandbox.ts';

/** Requests the whole log but never reads. The socket is paused before the first byte of the reply. */
async function deafReader(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).pause();
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write('GET /sandbox/v1/activity/stream?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

it('OP-59: eighty readers that read nothing delay no other caller', async () => {
  const sandbox = await testSandbox();
  await flood(sandbox.origin, 1500, async () => {});
  const readers = await Promise.all(Array.from({ length: 80 }, () => deafReader(sandbox.origin)));
  expect((await raw(`${sandbox.urls.sandbox}/activity/stream`)).status).toBe(409);
  let done = false;
  let longest = 0;
  const healthRequests = (async () => {
    while (!done) {
      const began = performance.now();
      await (await fetch(`${sandbox.urls.sandbox}/health`)).text();
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  for (let placed = 0; placed < 10; placed += 1) await order(sandbox);
  done = true;
  await healthRequests;
  for (const reader of readers) reader.destroy();
  // A busy machine also stays below this limit.
  expect(longest).toBeLessThan(5000);
});
