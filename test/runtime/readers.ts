/** Creates readers of the activity stream that do not read, and measures the response times of other calls (OP-59). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { order } from '../harness/orders.ts';
import type { TestSandbox } from '../harness/sandbox.ts';

/** Requests the whole log but never reads. The socket is paused before the first byte of the reply. */
export async function deafReader(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).pause();
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write('GET /sandbox/v1/activity/stream?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

/** Places orders while another caller polls the health check. Returns the longest waits, in milliseconds. */
export async function longestWaits(sandbox: TestSandbox, orders: number): Promise<{ health: number; loop: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let done = false;
  let health = 0;
  const healthRequests = (async () => {
    while (!done) {
      const began = performance.now();
      await (await fetch(`${sandbox.urls.sandbox}/health`)).text();
      health = Math.max(health, performance.now() - began);
    }
  })();
  for (let placed = 0; placed < orders; placed += 1) await order(sandbox);
  done = true;
  await healthRequests;
  delay.disable();
  return { health, loop: delay.max / 1e6 };
}
