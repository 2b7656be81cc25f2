/** If the creation of a workspace fails, the caller receives an error and nothing is left behind (OP-63). */
import { expect, it } from 'vitest';
import { StoreError } from '../../sandbox/store/store.ts';
import { memoryStorage, type Storage } from '../../sandbox/workspaces/storage.ts';
import { serveWorkspaces } from '../harness/beside.ts';

/** Creates a storage whose stores refuse every transaction from number `from` on, except those of the demo workspace. */
function refusingStorage(limit: { from: number }) {
  const memory = memoryStorage(() => {});
  const closed: string[] = [];
  const storage: Storage = {
    ...memory,
    async open(place) {
      const store = await memory.open(place);
      let transactions = 0;
      const failing =
        <Input, R>(run: (input: Input) => Promise<R>) =>
        (input: Input) => {
          transactions += 1;
          const refused = place.length > 0 && transactions >= limit.from;
          return refused ? Promise.reject(new StoreError('refused', 'the disk is full')) : run(input);
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

it('OP-63: a workspace that cannot be seeded leaves no entry, folder or open store', async () => {
  const disk = { from: 1 };
  const { storage, closed } = refusingStorage(disk);
  const { workspaces, create } = await serveWorkspaces(storage);
  for (let attempt = 0; attempt < 3; attempt += 1) expect(await create()).toMatchObject({ status: 503 });
  expect(workspaces.all.map(({ id }) => id)).toEqual(['demo']);
  expect(await storage.list(['workspaces'])).toEqual([]);
  expect(closed).toHaveLength(3);
  disk.from = Infinity;
  expect(await create()).toMatchObject({ status: 201 });
  expect(workspaces.all).toHaveLength(2);
});
