/** Serves a demo workspace and others without a process, on storage that the test provides. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { onTestFinished } from 'vitest';
import { loadApis, mountApis, servedApis } from '../../sandbox/assembly/apis.ts';
import { project } from '../../sandbox/assembly/settings.ts';
import type { Watch } from '../../sandbox/contract/api.ts';
import { arrivalOfCallers } from '../../sandbox/http/arrival.ts';
import { FairQueue } from '../../sandbox/http/fair-queue.ts';
import { pipeline } from '../../sandbox/http/pipeline.ts';
import { systemResolve } from '../../sandbox/http-client/connecting.ts';
import { delayBy, realTimer } from '../../sandbox/runtime/clock.ts';
import { ProcessMemory } from '../../sandbox/workspaces/process-memory.ts';
import { Workspaces } from '../../sandbox/workspaces/registry.ts';
import { startOf } from '../../sandbox/workspaces/seed.ts';
import type { SharedServices } from '../../sandbox/workspaces/services.ts';
import type { Storage } from '../../sandbox/workspaces/storage.ts';
import { nowhere } from './nowhere.ts';
import { raw } from './sandbox.ts';

/** The APIs of a sandbox and their handlers. */
interface Serves {
  readonly apis: Parameters<typeof mountApis>[0];
  readonly served: Parameters<typeof mountApis>[1];
}

const usual: Serves = { apis: loadApis(), served: servedApis };
const watch: Watch = { violation: () => {}, error: () => ({ kind: 'unavailable' }) };

/** Serves a demo workspace next to which a test can create others. */
export async function serveWorkspaces(
  storage: Storage,
  { apis: loaded, served }: Serves = usual,
  services: Partial<SharedServices> = {},
) {
  const apis = mountApis(loaded, served, watch);
  const workspaces = new Workspaces({
    ...{
      version: '0.0.0',
      most: 100,
      mostCreated: 10,
      apis,
      storage,
      memory: new ProcessMemory(Number.POSITIVE_INFINITY),
      docs: undefined,
      connectItself: () => {
        throw new Error('nobody listens');
      },
    },
    newSeed: () => 'seed of unique codes',
    realTime: () => 0,
    timer: realTimer,
    delay: delayBy(realTimer),
    origin: () => 'http://127.0.0.1:9',
    publicOrigin: () => 'http://127.0.0.1:9',
    isReachedByOthers: false,
    project,
    outgoing: {},
    allowedAddresses: [],
    own: nowhere,
    resolve: systemResolve,
    watch,
    warn: () => {},
    signingKey: () => {
      throw new Error('nobody certifies');
    },
    certifying: {
      mostQueued: 0,
      full: true,
      start: () => {
        throw new Error('nobody certifies');
      },
    },
    ...services,
  });
  const wish = { clock: 'frozen', adminToken: 'at_sandbox_of_the_test', given: {}, exposed: undefined } as const;
  const demo = workspaces.add({
    place: [],
    store: await storage.open([]),
    meta: startOf(undefined, wish, 0, () => {}),
  });
  await demo.seed();
  const boundary = { exempt: true, hosts: [], trustedProxies: [], origins: [] };
  const queue = new FairQueue({ timer: realTimer, loopTime: performance.eventLoopUtilization, warn: () => {} });
  const parts = { workspaces, home: demo, apis, boundary, queue, watch, docs: undefined, warn: () => {} };
  const server = createServer(pipeline(arrivalOfCallers(parts), parts).callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await workspaces.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const create = () => raw(`${origin}/sandbox/v1/workspaces`, { method: 'POST' });
  return { workspaces, origin, create };
}
