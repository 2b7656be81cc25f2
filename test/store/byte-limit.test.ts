/** Tests the size limit of a store with every adapter. */
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nothing, type Slice, type Slices } from '../../sandbox/store/row.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { adapters, order } from './adapters.ts';
import { type Collections, schema } from './schema.ts';
import { contentOf, open } from './stores.ts';

/** The size of an order with an id of two characters: the JSON `{"customer":"ann","points":1}` plus the id. */
const bytesOfOrder = 29 + 2;
const maxBytes = 10 * bytesOfOrder;
const full = expect.objectContaining({ name: 'StoreFullError', code: 'full', maxBytes });

const put = (store: Store<Collections>, id: string, record = order('ann')) =>
  store.transact((tx) => tx.put('orders', id, record));
const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `o${at}`);

async function* slicesOf(ids: readonly string[]): AsyncGenerator<Slice, void, void> {
  for (const id of ids) yield { collection: 'orders', rows: [{ id, record: Object.freeze(order('ann')) }] };
}
const contentWith = (ids: readonly string[]): Slices => ({ [Symbol.asyncIterator]: () => slicesOf(ids) });

describe.each(Object.entries(adapters))('the %s store with a limit of bytes', (_name, openAdapter) => {
  test('can be filled to its last byte, then refuses one more record and stays unchanged', async () => {
    const { store } = await openAdapter({ maxBytes });
    for (const id of idsOf(10)) await put(store, id);
    expect(store.isFull).toBe(false);
    await expect(put(store, 'x0')).rejects.toEqual(full);
    expect([store.isFull, store.ids('orders')]).toEqual([true, idsOf(10)]);
    // Records of other collections also count.
    await expect(store.transact((tx) => tx.put('counters', 'c', { value: 1 }))).rejects.toEqual(full);
  });

  test('accepts as many bytes again as a removal or an update frees', async () => {
    const { store } = await openAdapter({ maxBytes });
    await Promise.all(idsOf(10).map((id) => put(store, id)));
    await expect(put(store, 'x0')).rejects.toEqual(full);
    await store.transact((tx) => tx.remove('orders', 'o3'));
    expect(store.isFull).toBe(false);
    await put(store, 'x0');
    await expect(put(store, 'x1')).rejects.toEqual(full);
    await put(store, 'o0', order('an'));
    await expect(put(store, 'o1', order('anna'))).resolves.toBeUndefined();
    await expect(put(store, 'o2', order('anna'))).rejects.toEqual(full);
    expect(store.get('orders', 'o2')).toEqual(order('ann'));
  });

  test('accepts an update of the same size, and a change that removes more than it adds', async () => {
    const { store } = await openAdapter({ maxBytes });
    await Promise.all(idsOf(10).map((id) => put(store, id)));
    await put(store, 'o0', order('bob'));
    const moved = store.transact((tx) => {
      tx.put('orders', 'x0', order('ann'));
      tx.remove('orders', 'o1');
    });
    await expect(moved).resolves.toBeUndefined();
    expect(store.count('orders')).toBe(10);
  });

  test('of changes that race for the last bytes, as many succeed as fit', async () => {
    const { store } = await openAdapter({ maxBytes });
    const ids = Array.from({ length: 90 }, (_, at) => `${at + 10}`);
    const outcomes = await Promise.allSettled(ids.map((id) => put(store, id)));
    expect(outcomes.map(({ status }) => status)).toEqual(ids.map((_, at) => (at < 10 ? 'fulfilled' : 'rejected')));
    expect(store.ids('orders')).toEqual(ids.slice(0, 10));
  });

  test('a change that throws uses no bytes', async () => {
    const { store } = await openAdapter({ maxBytes });
    const thrown = new Error('no');
    const broken = store.transact((tx) => {
      for (const id of idsOf(10)) tx.put('orders', id, order('ann'));
      throw thrown;
    });
    await expect(broken).rejects.toBe(thrown);
    for (const id of idsOf(10)) await put(store, id);
    expect(store.count('orders')).toBe(10);
  });

  test('a replacement that is too large is refused; a smaller one frees bytes', async () => {
    const { store } = await openAdapter({ maxBytes });
    await Promise.all(idsOf(10).map((id) => put(store, id)));
    const before = contentOf(store);
    await expect(store.replace({ content: contentWith(idsOf(12)), change: () => {} })).rejects.toEqual(full);
    expect(contentOf(store)).toEqual(before);
    const added = store.replace({ content: contentWith(idsOf(10)), change: (tx) => tx.put('orders', 'x', order('a')) });
    await expect(added).rejects.toEqual(full);
    expect(contentOf(store)).toEqual(before);
    await store.replace({ content: nothing, change: () => {} });
    await Promise.all(idsOf(10).map((id) => put(store, id)));
    await expect(put(store, 'x0')).rejects.toEqual(full);
  });
});

test.each(['as it was closed', 'as a crash left it'] as const)(
  'a folder that is reopened %s has as many free bytes as before',
  async (how) => {
    const dir = await temporaryFolder();
    const { store } = await open({ dir, maxBytes });
    await Promise.all(idsOf(10).map((id) => put(store, id)));
    await store.transact((tx) => tx.remove('orders', 'o9'));
    const copy = await temporaryFolder();
    if (how === 'as it was closed') await store.close();
    for (const name of await readdir(dir)) {
      if (!name.startsWith('lock')) await copyFile(join(dir, name), join(copy, name));
    }
    const { store: again } = await open({ dir: copy, maxBytes });
    await put(again, 'x0');
    await expect(put(again, 'x1')).rejects.toEqual(full);
  },
);

test('a folder more than an eighth over the limit does not open, but does with a larger limit', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir });
  await Promise.all(idsOf(12).map((id) => put(store, id)));
  await store.close();
  await expect(open({ dir, maxBytes })).rejects.toEqual(full);
  const { store: larger } = await open({ dir, maxBytes: 12 * bytesOfOrder });
  expect(larger.count('orders')).toBe(12);
});

test('an essential change succeeds beyond the limit; a bounded collection does not count', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, maxBytes, schema: { ...schema, counters: { essential: true } } });
  await Promise.all(idsOf(10).map((id) => put(store, id)));
  const essentialChange = store.transact((tx) => {
    tx.put('counters', 'c', { value: 1 });
    tx.put('orders', 'x0', order('ann'));
  });
  await expect(essentialChange).resolves.toBeUndefined();
  expect(store.count('orders')).toBe(11);
  const bounded = await open({
    dir: await temporaryFolder(),
    maxBytes,
    schema: { ...schema, counters: { bounded: true } },
  });
  const notes = Array.from({ length: 100 }, (_, at) =>
    bounded.store.transact((tx) => tx.put('counters', `${at}`, { value: at })),
  );
  await Promise.all(notes);
  await Promise.all(idsOf(10).map((id) => put(bounded.store, id)));
  expect(bounded.store.count('counters')).toBe(100);
});
