/** What is history leaves memory: it is in segments, and read when it is asked for (OP-141, OP-142). */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import type { LowdbOptions } from '../../sandbox/store/lowdb.ts';
import { TRAILER_BYTES } from '../../sandbox/store/segment.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { turn } from '../../sandbox/store/turn.ts';
import type { Slices } from '../../sandbox/store/view.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { folderBytes, temporaryFolder } from '../harness/folders.ts';
import { order } from './adapters.ts';
import { contentOf, open } from './books.ts';
import { type Books, historySpec, spec } from './books-spec.ts';

type Options = Partial<LowdbOptions<Books>> & { dir: string };

/** Opens with most records history; every fold is due at once. */
const opened = async (options: Options): Promise<Store<Books>> =>
  (await open({ spec: historySpec, foldAfterBytes: 1, ...options })).store;

const segmentsIn = async (dir: string) => (await readdir(dir)).filter((name) => name.startsWith('segment-'));

/** A folder whose orders `o0` and so on, all of them history, are in segments. */
async function folder(orders: number, options: Partial<Options> = {}): Promise<string> {
  const dir = await temporaryFolder();
  const store = await opened({ dir, ...options });
  await store.transact((tx) => {
    for (let n = 0; n < orders; n += 1) tx.put('orders', `o${n}`, order(`c${n % 7}`, 4 + 4 * n));
  });
  await store.close();
  return dir;
}

/** Counts what is read at once, which is what history is read by; `fails` says whether that goes wrong. */
function counted(fails: () => boolean = () => false) {
  const reads = { count: 0 };
  const files = {
    ...diskFiles,
    async openToRead(path: string) {
      const file = await diskFiles.openToRead(path);
      if (file === undefined) return undefined;
      const readNow = (bytes: Uint8Array, position: number) => {
        reads.count += 1;
        if (fails()) throw systemError('EIO');
        return file.readNow(bytes, position);
      };
      return { ...file, readNow };
    },
  };
  return { files, reads };
}

async function contentOfSlices(slices: Slices): Promise<string[]> {
  const ids: string[] = [];
  for await (const { collection, rows } of slices) if (collection === 'orders') ids.push(...rows.map(({ id }) => id));
  return ids;
}

test('OP-141: a record of history is not read by opening, and once by asking for it and its neighbours', async () => {
  const dir = await folder(500);
  const { files, reads } = counted();
  const store = await opened({ dir, fs: files });
  expect([store.count('orders'), reads.count]).toEqual([500, 0]);
  expect(store.get('orders', 'o7')).toEqual(order('c0', 32));
  expect(store.get('orders', 'o8')).toEqual(order('c1', 36));
  expect([store.get('orders', 'none'), reads.count]).toEqual([undefined, 1]);
});

test('a record of history that changes comes back to memory in its place, and leaves it again', async () => {
  const dir = await folder(10);
  const store = await opened({ dir });
  await store.transact((tx) => tx.put('orders', 'o3', order('zoe', 3)));
  await store.transact((tx) => tx.remove('orders', 'o5'));
  const ids = ['o0', 'o1', 'o2', 'o3', 'o4', 'o6', 'o7', 'o8', 'o9'];
  expect([store.ids('orders'), store.find('orders', 'customer', 'zoe')]).toEqual([ids, [order('zoe', 3)]]);
  await store.close();
  const again = await opened({ dir });
  expect(again.ids('orders')).toEqual(ids);
  await again.transact((tx) => tx.put('orders', 'o3', order('zoe', 8)));
  await again.close();
  const last = await opened({ dir });
  expect([last.ids('orders'), last.get('orders', 'o3')]).toEqual([ids, order('zoe', 8)]);
});

test('a view shows what was there when it was opened, also where folds and merges go on', async () => {
  const dir = await folder(1000);
  const store = await opened({ dir });
  const expected = [...store.ids('orders')];
  const seen = await store.view(async (content) => {
    for (let n = 0; n < 40; n += 1) {
      await store.transact((tx) => {
        tx.put('orders', `new${n}`, order('new', 4));
        tx.put('orders', `o${n * 3}`, order('changed', n));
        tx.remove('orders', `o${n * 5 + 1}`);
      });
      await turn();
    }
    return contentOfSlices(content);
  });
  expect(seen).toEqual(expected);
});

test('what is removed or changed while segments are merged stays so', async () => {
  const dir = await temporaryFolder();
  for (let n = 0; n < 4; n += 1) {
    const store = await opened({ dir });
    await store.transact((tx) => {
      for (const id of ['a', 'b', 'c']) tx.put('orders', `${id}${n}`, order('ann', 4));
    });
    await store.close();
  }
  expect(await segmentsIn(dir)).toHaveLength(4);
  let isChanged = false;
  const fs = withFaults(diskFiles, async ({ name, path }) => {
    if (isChanged || name !== 'sync' || !path.includes('segment-')) return;
    isChanged = true;
    await store.transact((tx) => {
      tx.remove('orders', 'a1');
      tx.put('orders', 'b2', order('bob', 3));
    });
  });
  const store = await opened({ dir, fs });
  const note = 'x'.repeat(1000);
  for (let n = 0; n < 3; n += 1) await store.transact((tx) => tx.put('orders', 'new', { ...order('zoe', 3), note }));
  await expect.poll(() => segmentsIn(dir)).toHaveLength(1);
  const ids = [0, 1, 2, 3].flatMap((n) => [`a${n}`, `b${n}`, `c${n}`]).filter((id) => id !== 'a1');
  expect([isChanged, store.ids('orders')]).toEqual([true, [...ids, 'new']]);
  await store.close();
  const again = await opened({ dir });
  expect([again.ids('orders'), again.get('orders', 'b2')]).toEqual([[...ids, 'new'], order('bob', 3)]);
});

test('OP-142: segments stay few, and those of which little counts are written anew', async () => {
  const dir = await temporaryFolder();
  const store = await opened({ dir });
  let most = 0;
  for (let n = 0; n < 600; n += 1) {
    await store.transact((tx) => {
      tx.put('orders', `o${n}`, { ...order('ann', 4), note: 'x'.repeat(200) });
      if (n >= 50) tx.remove('orders', `o${n - 50}`);
    });
    await turn();
    most = Math.max(most, (await segmentsIn(dir)).length);
  }
  expect(store.count('orders')).toBe(50);
  expect(most).toBeLessThan(12);
  await store.close();
  expect(await folderBytes(dir)).toBeLessThan(3 * 50 * 300 + 10_000);
});

test('what is history already in an older folder, and what a replacement brings, leaves memory at the next fold', async () => {
  const dir = await temporaryFolder();
  const { store: older } = await open({ dir, spec });
  await older.transact((tx) => {
    for (let n = 0; n < 2000; n += 1) tx.put('orders', `o${n}`, order('ann', 4));
  });
  await older.close();
  expect(await segmentsIn(dir)).toEqual([]);
  const store = await opened({ dir, foldAfterBytes: 1_000_000 });
  await store.transact((tx) => tx.put('counters', 'n', { value: 1 }));
  await store.transact((tx) => tx.put('counters', 'n', { value: 3 }));
  await expect.poll(() => segmentsIn(dir)).toHaveLength(1);
  await store.view((content) => store.replace({ content, change: () => undefined }));
  expect(store.count('orders')).toBe(2000);
  await store.transact((tx) => tx.put('counters', 'n', { value: 5 }));
  await store.transact((tx) => tx.put('counters', 'n', { value: 7 }));
  await expect.poll(() => segmentsIn(dir)).toHaveLength(1);
  expect(store.ids('orders')).toEqual(Array.from({ length: 2000 }, (_, n) => `o${n}`));
});

test('a version that keeps a collection in another way finds all of it', async () => {
  const dir = await folder(20);
  const { store: without } = await open({ dir, spec });
  const content = contentOf(without);
  expect(content.orders).toHaveLength(20);
  await without.transact((tx) => tx.put('counters', 'n', { value: 1 }));
  await without.close();
  expect(await segmentsIn(dir)).toEqual([]);
  const indexed = { ...historySpec, orders: { ...historySpec.orders, indexes: { points: String } } };
  const { store: other } = await open({ dir: await folder(20), spec: indexed as typeof spec });
  expect(contentOf(other)).toEqual(content);
});

for (const key of [undefined, Buffer.alloc(32, 7)]) {
  const how = key === undefined ? 'plain' : 'encrypted';
  test(`a changed byte anywhere in a ${how} segment is named as damage, at the start or when its record is read`, async () => {
    const dir = await folder(120, { key });
    const [name = ''] = await segmentsIn(dir);
    const bytes = await readFile(join(dir, name));
    const ofTrailer = Array.from({ length: TRAILER_BYTES }, (_, back) => bytes.length - 1 - back);
    const scattered = Array.from({ length: Math.ceil(bytes.length / 97) }, (_, n) => 97 * n);
    for (const at of [...scattered, ...ofTrailer]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(join(dir, name), changed);
      await expect(readAll(dir, key), `byte ${at}`).rejects.toMatchObject({ code: 'damaged' });
    }
    for (const length of [0, 10, bytes.length - 1, bytes.length >> 1]) {
      await writeFile(join(dir, name), bytes.subarray(0, length));
      await expect(readAll(dir, key), `${length} bytes`).rejects.toMatchObject({ code: 'damaged' });
    }
    await writeFile(join(dir, name), bytes);
    expect(await readAll(dir, key)).toBe(120);
  });
}

async function readAll(dir: string, key: Uint8Array | undefined): Promise<number> {
  const store = await opened({ dir, key });
  try {
    return store.all('orders').length;
  } finally {
    await store.close();
  }
}

test('a segment that is missing is damage, and a key that is wrong is told', async () => {
  const dir = await folder(5, { key: Buffer.alloc(32, 7) });
  await expect(opened({ dir, key: Buffer.alloc(32, 8) })).rejects.toMatchObject({ code: 'wrong_key' });
  const [name = ''] = await segmentsIn(dir);
  await diskFiles.remove(join(dir, name));
  await expect(opened({ dir, key: Buffer.alloc(32, 7) })).rejects.toMatchObject({ code: 'damaged' });
});

test('segments whose document is lost are no new store: nothing is made of them, and nothing removed', async () => {
  const dir = await folder(5);
  for (const name of await readdir(dir)) if (!name.startsWith('segment-')) await diskFiles.remove(join(dir, name));
  await expect(opened({ dir })).rejects.toMatchObject({ code: 'damaged' });
  expect(await readdir(dir)).toEqual(['segment-1.rows']);
});

test('a record that the disk does not give is an error, never a record that is missing, and refuses its transaction only', async () => {
  const dir = await folder(5);
  let fails = true;
  const store = await opened({ dir, fs: counted(() => fails).files });
  const unreadable = { code: 'unreadable', message: expect.stringContaining('EIO') };
  expect(() => store.get('orders', 'o1')).toThrow(expect.objectContaining(unreadable));
  expect(() => store.find('orders', 'customer', 'c1')).toThrow(expect.objectContaining(unreadable));
  await expect(store.transact((tx) => tx.put('orders', 'o1', order('ann', 3)))).rejects.toMatchObject(unreadable);
  await store.transact((tx) => tx.put('counters', 'n', { value: 1 }));
  fails = false;
  expect([store.get('orders', 'o1'), store.gaveUp]).toEqual([order('c1', 8), undefined]);
});

test('a fold that fails leaves no segment behind, and the next one writes it', async () => {
  const dir = await temporaryFolder();
  let fails = true;
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (fails && name === 'sync' && path.includes('segment-')) throw systemError('ENOSPC');
  });
  const { store, warnings } = await open({ dir, spec: historySpec, fs, foldAfterBytes: 1 });
  for (let n = 0; n < 20; n += 1) await store.transact((tx) => tx.put('orders', `o${n}`, order('ann', 4)));
  await expect.poll(() => warnings.length, { timeout: 10_000 }).toBeGreaterThan(0);
  await expect.poll(() => segmentsIn(dir), { timeout: 10_000 }).toEqual([]);
  fails = false;
  await store.close();
  expect(await segmentsIn(dir)).toHaveLength(1);
  expect(await readAll(dir, undefined)).toBe(20);
});

test('a number that comes again after the newest segment was merged away stands for the new file only', async () => {
  const dir = await folder(3);
  const first = await readFile(join(dir, 'segment-1.rows'));
  for (const step of [1, 2]) {
    const store = await opened({ dir });
    // What is removed is merged away by the fold after the one that notes it.
    await store.transact((tx) => {
      for (const id of tx.ids('orders')) tx.remove('orders', id);
      tx.put('counters', 'n', { value: step * 2 + 1 });
    });
    await store.close();
  }
  expect(await segmentsIn(dir)).toEqual([]);
  const store = await opened({ dir });
  await store.transact((tx) => tx.put('orders', 'o1', order('zoe', 8)));
  await store.close();
  expect(await segmentsIn(dir)).toEqual(['segment-1.rows']);
  const again = await opened({ dir });
  expect([again.ids('orders'), again.find('orders', 'customer', 'zoe')]).toEqual([['o1'], [order('zoe', 8)]]);
  await again.close();
  await writeFile(join(dir, 'segment-1.rows'), first);
  await expect(readAll(dir, undefined)).rejects.toMatchObject({ code: 'damaged' });
});
