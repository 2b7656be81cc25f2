import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { describe, expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { contentOf, open, pay } from './books.ts';

describe('reopening', () => {
  test.each([
    ['from the journal', 1_000_000],
    ['from the document', 1],
  ])('gives back the same content in the same order, frozen, %s', async (_from, foldAfterBytes) => {
    const dir = await temporaryFolder();
    const { store } = await open({ dir, foldAfterBytes });
    for (const id of ['b', 'a', '__proto__', 'c']) await pay(store, id);
    await store.transact((tx) => tx.remove('orders', 'a'));
    await pay(store, 'a');
    const content = contentOf(store);
    await store.close();
    const { store: again, warnings } = await open({ dir });
    expect(contentOf(again)).toEqual(content);
    expect(Object.isFrozen(again.get('orders', 'c'))).toBe(true);
    expect(warnings).toEqual([]);
  });

  test('closing leaves one document and one empty journal, and an open store its lock file beside them, all for the owner only', async () => {
    const dir = join(await temporaryFolder(), 'made', 'here');
    const { store } = await open({ dir, foldAfterBytes: 1 });
    for (const id of ['a', 'b', 'c']) await pay(store, id);
    const modesOf = (names: readonly string[]) =>
      Promise.all(names.map(async (name) => (await stat(join(dir, name))).mode & 0o777));
    expect(await modesOf(['lock-1'])).toEqual([0o600]);
    await store.close();
    const names = (await readdir(dir)).sort();
    expect(names).toEqual(['db.json', 'journal-3.log']);
    expect(await modesOf(['.', ...names])).toEqual([0o700, 0o600, 0o600]);
  });

  test('a collection that only another version knows is carried along', async () => {
    const dir = await temporaryFolder();
    const { store } = await open({ dir });
    await pay(store, 'a');
    await store.close();
    const { store: older } = await open({ dir, spec: { counters: {} } as never });
    await older.transact((tx) => tx.put('counters', 'other', { value: 1 }));
    expect(() => older.all('orders')).toThrow('The store has no collection orders');
    await older.close();
    const { store: again } = await open({ dir });
    expect(again.find('orders', 'customer', 'ann')).toEqual([{ customer: 'ann', points: 5, note: '' }]);
  });

  test('a path that cannot be a folder is refused in one clear line', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, 'x');
    for (const dir of [file, join(file, 'below')]) {
      await expect(open({ dir })).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(/^\S+ cannot be used as data folder: .+$/),
      });
    }
  });
});

describe('the cost of a change', () => {
  test('transactions that wait together share one append and one sync, and none is acknowledged before that sync', async () => {
    const calls: string[] = [];
    const fs = withFaults(diskFiles, ({ name }) => void calls.push(name));
    const { store } = await open({ dir: await temporaryFolder(), fs });
    calls.length = 0;
    const acknowledged = (): void => void calls.push('acknowledged');
    await Promise.all(Array.from({ length: 300 }, (_, n) => pay(store, `o${n}`).then(acknowledged)));
    // The second write notes up to where the journal is synced.
    expect(calls).toEqual(['write', 'sync', 'write', ...Array.from({ length: 300 }, () => 'acknowledged')]);
  });

  test('nothing is readable or acknowledged while its sync is under way', async () => {
    const sync = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    let hold = false;
    const fs = withFaults(diskFiles, async ({ name }) => {
      if (!hold || name !== 'sync') return;
      started.resolve();
      await sync.promise;
    });
    const { store } = await open({ dir: await temporaryFolder(), fs });
    hold = true;
    let acknowledged = false;
    const paid = pay(store, 'o1').then(() => {
      acknowledged = true;
    });
    await started.promise;
    await new Promise(setImmediate);
    expect([acknowledged, store.count('orders')]).toEqual([false, 0]);
    sync.resolve();
    await paid;
    expect([acknowledged, store.count('orders')]).toEqual([true, 1]);
  });

  test('transactions are acknowledged while the document is still being written', async () => {
    const written = Promise.withResolvers<void>();
    const folding = Promise.withResolvers<void>();
    const fs = withFaults(diskFiles, async ({ name, path }) => {
      if (name !== 'rename' || !path.includes('db.json')) return;
      folding.resolve();
      await written.promise;
    });
    const dir = await temporaryFolder();
    const { store } = await open({ dir, fs, foldAfterBytes: 200 });
    for (const id of ['o1', 'o2', 'o3']) await pay(store, id);
    await folding.promise;
    await pay(store, 'o4');
    const content = contentOf(store);
    written.resolve();
    await store.close();
    const { store: again } = await open({ dir });
    expect(contentOf(again)).toEqual(content);
  });

  test('a change appends about its own size, however much is stored', async () => {
    const dir = await temporaryFolder();
    const { store } = await open({ dir });
    const journalSize = async (): Promise<number> => (await stat(join(dir, 'journal-0.log'))).size;
    const costOfOne = async (id: string): Promise<number> => {
      const before = await journalSize();
      await pay(store, id);
      return (await journalSize()) - before;
    };
    const first = await costOfOne('aaaaa');
    await Promise.all(Array.from({ length: 2000 }, (_, n) => pay(store, String(n).padStart(5, '0'))));
    expect((await costOfOne('bbbbb')) - first).toBeLessThan(10);
  });

  test('control: stock lowdb writes everything for one change, and of two writers the later undoes the earlier', async () => {
    const path = join(await temporaryFolder(), 'db.json');
    const stock = async () => {
      const low = new Low<{ orders: Record<string, string> }>(new JSONFile(path), { orders: {} });
      await low.read();
      return low;
    };
    const [one, other] = [await stock(), await stock()];
    for (let n = 0; n < 2000; n++) one.data.orders[`o${n}`] = 'x';
    await one.write();
    const inode = (await stat(path)).ino;
    await one.update(({ orders }) => Object.assign(orders, { last: 'x' }));
    expect((await stat(path)).ino).not.toBe(inode);
    await other.update(({ orders }) => Object.assign(orders, { theirs: 'x' }));
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ orders: { theirs: 'x' } });
  });
});
