/** Tests that a transaction writes each record once, regardless of how often it puts the record. */
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Committed, Store, Tx } from '../../sandbox/store/store.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { adapters, order } from './adapters.ts';
import type { Collections } from './schema.ts';
import { open } from './stores.ts';

async function withStored(store: Store<Collections>): Promise<void> {
  await store.transact((tx) => {
    for (const id of ['s1', 's2', 's3']) tx.put('orders', id, order('ann'));
    tx.put('counters', 'c', { value: 0 });
  });
}

/** Puts, removes and puts records again in two collections. */
function changeOften(tx: Tx<Collections>): void {
  tx.put('orders', 'n1', order('bob'));
  tx.put('counters', 'c', { value: 1 });
  tx.remove('orders', 's1');
  tx.put('orders', 'n2', order('bob'));
  tx.put('orders', 's1', order('cem', 1));
  tx.put('orders', 's1', order('cem', 2));
  tx.put('counters', 'c', { value: 2 });
  tx.put('orders', 's2', order('dan'));
  tx.remove('orders', 's2');
  tx.put('orders', 'gone', order('bob'));
  tx.remove('orders', 'gone');
}

const inOrder = ['s3', 'n1', 'n2', 's1'];
const written = [
  ['orders', 'n1', order('bob')],
  ['orders', 'n2', order('bob')],
  ['orders', 's1'],
  ['orders', 's1', order('cem', 2)],
  ['orders', 's2'],
  ['counters', 'c', { value: 2 }],
];

describe.each(Object.entries(adapters))('the %s store', (_name, openAdapter) => {
  test('listeners get one change of a record, from what was stored to what is; two if another record took its place', async () => {
    const { store } = await openAdapter();
    await withStored(store);
    const notifications: Committed[] = [];
    store.onCommit((committed) => notifications.push(committed));
    const within = await store.transact((tx) => {
      changeOften(tx);
      return tx.ids('orders');
    });
    expect(within).toEqual(inOrder);
    expect(store.ids('orders')).toEqual(inOrder);
    expect(notifications).toEqual([
      [
        { collection: 'orders', id: 'n1', record: order('bob') },
        { collection: 'orders', id: 'n2', record: order('bob') },
        { collection: 'orders', id: 's1', record: undefined, before: order('ann') },
        { collection: 'orders', id: 's1', record: order('cem', 2) },
        { collection: 'orders', id: 's2', record: undefined, before: order('ann') },
        { collection: 'counters', id: 'c', record: { value: 2 }, before: { value: 0 } },
      ],
    ]);
  });

  test('a transaction that undoes its own changes is not notified', async () => {
    const { store } = await openAdapter();
    const notifications: Committed[] = [];
    store.onCommit((committed) => notifications.push(committed));
    await store.transact((tx) => {
      tx.put('orders', 'o1', order('ann'));
      tx.remove('orders', 'o1');
    });
    expect(notifications).toEqual([]);
  });

  test('an index function that throws refuses the put, and neither memory nor disk has the record', async () => {
    const { store } = await openAdapter();
    await withStored(store);
    const broken = JSON.parse('null');
    await expect(store.transact((tx) => tx.put('orders', 'x', broken))).rejects.toThrow(TypeError);
    const kept = await store.transact((tx) => {
      expect(() => tx.put('orders', 's1', broken)).toThrow(TypeError);
      return [tx.ids('orders'), tx.get('orders', 's1')];
    });
    expect(kept).toEqual([['s1', 's2', 's3'], order('ann')]);
    expect(store.find('orders', 'customer', 'ann')).toEqual([order('ann'), order('ann'), order('ann')]);
  });
});

test('the log has the last record only, and replaying it gives the same order', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir });
  await withStored(store);
  await store.transact(changeOften);
  const lines = (await readFile(join(dir, 'wal.log'), 'utf8')).trimEnd().split('\n');
  expect(lines.at(-1)).toContain(JSON.stringify([written]));
  const copy = await temporaryFolder();
  for (const name of await readdir(dir))
    if (!name.startsWith('lock')) await copyFile(join(dir, name), join(copy, name));
  const { store: again } = await open({ dir: copy });
  expect([again.ids('orders'), again.all('orders')]).toEqual([inOrder, store.all('orders')]);
});
