/** A workspace whose making fails: the caller gets an error, and nothing of it stays (OP-63). */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { dispatcher } from '../../sandbox/dispatch.ts';
import { loadContracts } from '../../sandbox/mounts.ts';
import { systemResolve } from '../../sandbox/runtime/connecting.ts';
import { delayBy, realTimer } from '../../sandbox/runtime/timer.ts';
import { startOf } from '../../sandbox/seed.ts';
import { memoryStorage, type Storage } from '../../sandbox/storage.ts';
import { StoreError } from '../../sandbox/store/store.ts';
import { loadWeb } from '../../sandbox/web/web.ts';
import { Workspaces } from '../../sandbox/workspaces.ts';
import { nowhere } from '../runtime/nowhere.ts';
import { raw } from '../sandbox.ts';

const contracts = loadContracts();

/** A storage whose stores, but for the demo workspace's, refuse to write from the `after`th transaction on; 0 is never. */
function refusing(after: { from: number }) {
  const kept = memoryStorage(() => {});
  const closed: string[] = [];
  const storage: Storage = {
    ...kept,
    async open(place) {
      const store = await kept.open(place);
      let transactions = 0;
      const failing: typeof store.transact = (change) => {
        transactions += 1;
        const refused = place.length > 0 && transactions >= after.from;
        return refused ? Promise.reject(new StoreError('refused', 'the disk is full')) : store.transact(change);
      };
      const close = () => {
        closed.push(place.join('/'));
        return store.close();
      };
      return new Proxy(store, {
        get: (target, name) => {
          if (name === 'transact') return failing;
          if (name === 'close') return close;
          const value = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  };
  return { storage, closed };
}

/** A demo workspace that others are made beside. */
async function beside(storage: Storage) {
  const workspaces = new Workspaces({
    ...{ version: '0.0.0', contracts, web: loadWeb(contracts.auth), storage, docs: undefined, certificate: undefined },
    ...{ realTime: () => 0, timer: realTimer, delay: delayBy(realTimer), origin: () => 'http://127.0.0.1:9' },
    ...{ outgoing: {}, allowedAddresses: [], own: nowhere, resolve: systemResolve },
    ...{ watch: { violation: () => {}, error: () => 'unavailable' }, warn: () => {} },
    checker: { check: () => Promise.reject(new Error('nobody asks')), forget: () => {} },
  });
  const wish = { clock: 'frozen', adminToken: 'at_sandbox_of_the_test', given: {}, exposed: undefined } as const;
  const demo = workspaces.admit({
    place: [],
    store: await storage.open([]),
    meta: startOf(undefined, wish, 0, () => {}),
  });
  await demo.seed();
  const boundary = { exempt: true, hosts: [], trustedProxies: [] };
  const server = createServer(dispatcher(workspaces, demo, contracts, boundary)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await workspaces.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sandbox/v1/workspaces`;
  return { workspaces, create: () => raw(url, { method: 'POST' }) };
}

it('OP-63: a workspace that cannot be seeded takes no place, no folder and no open store', async () => {
  const disk = { from: 1 };
  const { storage, closed } = refusing(disk);
  const { workspaces, create } = await beside(storage);
  for (let tried = 0; tried < 3; tried += 1) expect(await create()).toMatchObject({ status: 503 });
  expect(workspaces.all.map(({ id }) => id)).toEqual(['demo']);
  expect(await storage.list(['workspaces'])).toEqual([]);
  expect(closed).toHaveLength(3);
  disk.from = Infinity;
  expect(await create()).toMatchObject({ status: 201 });
  expect(workspaces.all).toHaveLength(2);
});
