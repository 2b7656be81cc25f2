import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineOf } from '../../sandbox/store/encoding.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { plainSeal } from '../../sandbox/store/seal.ts';
import { withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { bytesOf, contentOf, open, pay } from './stores.ts';

describe('reopening', () => {
  test.each([
    ['from the log', 1_000_000],
    ['from the document', 1],
  ])('returns the same content in the same order, frozen, %s', async (_from, checkpointAfterBytes) => {
    const dir = await temporaryFolder();
    const { store } = await open({ dir, checkpointAfterBytes });
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

  test('closing leaves a document, an empty log and the lock file, all for the owner only', async () => {
    const dir = join(await temporaryFolder(), 'made', 'here');
    const { store } = await open({ dir, checkpointAfterBytes: 1 });
    for (const id of ['a', 'b', 'c']) await pay(store, id);
    const modesOf = (names: readonly string[]) =>
      Promise.all(names.map(async (name) => (await stat(join(dir, name))).mode & 0o777));
    expect(await modesOf(['lock', 'lock.json'])).toEqual([0o600, 0o600]);
    await store.close();
    const names = (await readdir(dir)).sort();
    expect(names).toEqual(['db.json', 'lock', 'wal.log']);
    expect(await modesOf(['.', ...names])).toEqual([0o700, 0o600, 0o600, 0o600]);
    expect((await readFile(join(dir, 'wal.log'), 'utf8')).split('\n').length).toBe(3);
  });

  test('the document is JSON that any tool reads: collections of pairs of id and record', async () => {
    const dir = await temporaryFolder();
    const { store } = await open({ dir });
    await pay(store, 'a', 'a line\nand "another"');
    await store.close();
    expect(JSON.parse(await readFile(join(dir, 'db.json'), 'utf8'))).toEqual({
      format: 4,
      store: expect.stringMatching(/^[0-9a-f]{32}$/),
      place: '',
      collections: [
        { name: 'orders', records: [['a', { customer: 'ann', points: 5, note: 'a line\nand "another"' }]] },
        { name: 'counters', records: [['paid', { value: 1 }]] },
      ],
      sequence: 1,
      checksum: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
  });

  test.each(['journal-7.log', 'journal-2-7.log', 'segment-1.rows', 'db-2.json', 'lock-3'])(
    'a folder of an earlier version, with %s, is refused with instructions, and no byte changes',
    async (name) => {
      const dir = await temporaryFolder();
      await writeFile(join(dir, name), 'anything');
      await expect(open({ dir })).rejects.toMatchObject({
        code: 'damaged',
        message: `${dir} was written by an earlier version and was left unchanged: export a backup with that version, and import it into an empty folder with this one`,
      });
      expect(await bytesOf(dir)).toEqual(
        name.startsWith('lock') ? {} : { [name]: Buffer.from('anything').toString('hex') },
      );
    },
  );

  test.each([
    ['db.json', '{"format":3,"collections":[\n],"sequence":0,"checksum":"0a1b2c3d"}\n'],
    ['db.json', lineOf(plainSeal.close('{"kind":"document","version":3,"seq":0}', 'header'))],
    ['wal.log', lineOf(plainSeal.close('{"kind":"log","version":1,"seq":0}', 'header'))],
  ])('%s of an earlier format is refused with instructions, and no byte changes', async (name, line) => {
    const dir = await temporaryFolder();
    await writeFile(join(dir, name), line);
    await expect(open({ dir })).rejects.toMatchObject({
      code: 'damaged',
      message: `${join(dir, name)} was written by an earlier version and was left unchanged: export a backup with that version, and import it into an empty folder with this one`,
    });
    expect(await bytesOf(dir)).toEqual({ [name]: Buffer.from(line).toString('hex') });
  });

  test('a collection that only another version defines is preserved', async () => {
    const dir = await temporaryFolder();
    const { store } = await open({ dir });
    await pay(store, 'a');
    await store.close();
    const { store: older } = await open({ dir, schema: { counters: {} } as never });
    await older.transact((tx) => tx.put('counters', 'other', { value: 1 }));
    expect(() => older.all('orders')).toThrow('The store has no collection orders');
    await older.close();
    const { store: again } = await open({ dir });
    expect(again.find('orders', 'customer', 'ann')).toEqual([{ customer: 'ann', points: 5, note: '' }]);
  });

  test('a path that cannot be a folder is refused with a one-line message', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, 'x');
    for (const dir of [file, join(file, 'below')]) {
      await expect(open({ dir })).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(/^Cannot use \S+ as data folder: .+$/),
      });
    }
  });
});

describe('the cost of a change', () => {
  test('waiting transactions share one append and one sync, and none is acknowledged before that sync', async () => {
    const calls: string[] = [];
    const fs = withFaults(diskFiles, ({ name }) => void calls.push(name));
    const { store } = await open({ dir: await temporaryFolder(), fs });
    calls.length = 0;
    const acknowledged = (): void => void calls.push('acknowledged');
    await Promise.all(Array.from({ length: 300 }, (_, n) => pay(store, `o${n}`).then(acknowledged)));
    // The second write updates the mark of the synced log position.
    expect(calls).toEqual(['write', 'sync', 'write', ...Array.from({ length: 300 }, () => 'acknowledged')]);
  });

  test('no change is readable or acknowledged before its sync has ended', async () => {
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
    const reached = Promise.withResolvers<void>();
    const fs = withFaults(diskFiles, async ({ name, path }) => {
      if (name !== 'rename' || !path.includes('db.json')) return;
      reached.resolve();
      await written.promise;
    });
    const dir = await temporaryFolder();
    const { store } = await open({ dir, fs, checkpointAfterBytes: 200 });
    for (const id of ['o1', 'o2', 'o3']) await pay(store, id);
    await reached.promise;
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
    const logSize = async (): Promise<number> => (await stat(join(dir, 'wal.log'))).size;
    const costOfOne = async (id: string): Promise<number> => {
      const before = await logSize();
      await pay(store, id);
      return (await logSize()) - before;
    };
    const first = await costOfOne('aaaaa');
    await Promise.all(Array.from({ length: 2000 }, (_, n) => pay(store, String(n).padStart(5, '0'))));
    expect((await costOfOne('bbbbb')) - first).toBeLessThan(10);
  });
});
