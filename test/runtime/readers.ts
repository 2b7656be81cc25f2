/**
 * Readers of the activity log's stream that read nothing, and the response times of other calls meanwhile (OP-59).
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { order } from '../harness/orders.ts';
import type { TestSandbox } from '../harness/sandbox.ts';

/** Asks for the whole log and never reads: a socket is paused before the first byte of the reply. */
export async function deafReader(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).pause();
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write('GET /sandbox/v1/activity/stream?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

/**
 * Places orders while another caller requests the health again and again. Returns the longest waits, in ms.
 */
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
