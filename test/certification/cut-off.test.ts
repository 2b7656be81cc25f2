/** Tests aborting the certification of a server that never answers (OP-204). */
import { expect, it } from 'vitest';
import { certificationRun } from '../../sandbox/assembly/certification-run.ts';
import { systemResolve } from '../../sandbox/http-client/connecting.ts';
import { localAddresses } from '../../sandbox/runtime/caller.ts';
import { certify } from '../../sandbox/sandbox.ts';
import { socketServer } from '../harness/http-server.ts';
import { nowhere } from '../harness/nowhere.ts';

it('OP-204: an aborted run closes its connections and opens no more', async () => {
  let connections = 0;
  const open = new Set<object>();
  const { origin: client_url } = await socketServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.resume().once('close', () => open.delete(socket));
  });
  const [ending, cutting] = [new AbortController(), new AbortController()];
  const run = certificationRun({
    certify,
    allowedAddresses: localAddresses,
    own: nowhere,
    resolve: systemResolve,
    origin: () => 'http://127.0.0.1:9',
    connectItself: expect.fail,
    takeTurn: async () => () => {},
  });
  let called = 0;
  const ended = run({
    input: { client_url, customers: ['CUST0001'], service_token: 'st', api: 'v1', timeout_ms: 15_000 },
    ending: ending.signal,
    cutting: cutting.signal,
    judged: () => {},
    called: () => {
      called += 1;
    },
  });
  await expect.poll(() => open.size, { timeout: 30_000 }).toBeGreaterThan(0);
  const [calledBefore, connectedBefore] = [called, connections];
  ending.abort();
  cutting.abort();
  expect(await ended).toMatchObject({ report: { outcome: 'interrupted' } });
  await expect.poll(() => open.size).toBe(0);
  expect([called, connections]).toEqual([calledBefore, connectedBefore]);
});
