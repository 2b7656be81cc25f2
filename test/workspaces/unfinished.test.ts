/** A workspace whose making fails: the caller gets an error, and nothing of it stays (OP-63). */
import { expect, it } from 'vitest';
import { StoreError } from '../../sandbox/store/store.ts';
import { memoryStorage, type Storage } from '../../sandbox/workspaces/storage.ts';
import { beside } from '../harness/beside.ts';

/**
 * A storage whose stores, but for the demo workspace's, refuse to write from the `after`th transaction on; 0 is never.
 */
function refusing(after: { from: number }) {
  const kept = memoryStorage(() => {});
  const closed: string[] = [];
  const storage: Storage = {
    ...kept,
    async open(place) {
      const store = await kept.open(place);
      let transactions = 0;
      const failing =
        <Ask, R>(carryOut: (ask: Ask) => Promise<R>) =>
        (ask: Ask) => {
          transactions += 1;
          const refused = place.length > 0 && transactions >= after.from;
          return refused ? Promise.reject(new StoreError('refused', 'the disk is full')) : carryOut(ask);
        };
      const close = () => {
        closed.push(place.join('/'));
        return store.close();
      };
      return new Proxy(store, {
        get: (target, name) => {
          if (name === 'close') return close;
          const value = Reflect.get(target, name);
          const bound = typeof value === 'function' ? value.bind(target) : value;
          return name === 'transact' || name === 'replace' ? failing(bound) : bound;
        },
      });
    },
  };
  return { storage, closed };
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
