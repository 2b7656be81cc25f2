/** Tests forwarding a call to another instance (OP-208). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Forwarder, type ForwardResult } from '../../sandbox/cluster/forwarder.ts';
import { takingTls } from '../../sandbox/cluster/instances.ts';
import { Reachability } from '../../sandbox/cluster/reachability.ts';
import type { Timer } from '../../sandbox/runtime/clock.ts';

const key = Buffer.alloc(32, 3);

/** Starts a server that closes after the test. Returns its port. */
async function listening<S extends Server & { closeAllConnections(): void }>(server: S): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

it('OP-208: a call to an instance that has lost its lease can be answered elsewhere, although that instance accepts connections', async () => {
  const called = Promise.withResolvers<void>();
  const silent = await listening(createSecureServer(takingTls(key), () => called.resolve()));
  const timers: (() => void)[] = [];
  const timer: Timer = (run) => {
    timers.push(run);
    return () => {};
  };
  const reachability = new Reachability({ key, isLive: async () => false, timer });
  const forwarder = new Forwarder({ key, reachability, timer });
  onTestFinished(() => forwarder.close());
  const handedOn = Promise.withResolvers<ForwardResult>();
  const front = async (request: IncomingMessage, response: ServerResponse) => {
    const origin = { kind: 'machine', addresses: [], exempt: false } as const;
    const envelope = { workspace: 'demo', origin };
    const call = { request, response, body: Buffer.alloc(0) };
    const how = forwarder.forward(`127.0.0.1:${silent}`, envelope, call, () => {});
    await called.promise;
    // The first timer checks whether the instance is alive.
    timers[0]?.();
    handedOn.resolve(await how);
    response.writeHead(503).end();
  };
  const reply = fetch(`http://127.0.0.1:${await listening(createServer(front))}/`);
  expect((await reply).status).toBe(503);
  expect(await handedOn.promise).toBe('unknown');
});
