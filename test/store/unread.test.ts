/** Applying what was written reads nothing: a disk that cannot be read meanwhile refuses nothing that is durable (OP-94). */
import { describe, expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { open } from './books.ts';
import { type Books, historySpec as spec } from './books-spec.ts';

const put = (store: Store<Books>, points: number, note = '') =>
  store.transact((tx) => tx.put('orders', `o${points}`, { customer: 'ann', points, note }));

/** Each puts something else in place of a row of history. */
const changes = {
  'is changed': (store: Store<Books>) => store.transact((tx) => tx.put('orders', 'o4', { customer: 'bob', points: 4 })),
  'is removed': (store: Store<Books>) => store.transact((tx) => tx.remove('orders', 'o4')),
};
const left = { 'is changed': { customer: 'bob', points: 4 }, 'is removed': undefined };

/** A disk whose documents take their place, whose journals are synced and whose segments are read as long as a test lets them. */
function disk() {
  const folding = Promise.withResolvers<void>();
  const named = Promise.withResolvers<void>();
  const syncing = Promise.withResolvers<void>();
  const synced = Promise.withResolvers<void>();
  const tidied = Promise.withResolvers<void>();
  const state = { holdsName: false, holdsSync: false, unreadable: false, reads: 0 };
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name === 'rename' && path.includes('db.json') && state.holdsName) {
      folding.resolve();
      return named.promise;
    }
    if (name === 'remove' && path.includes('journal-')) tidied.resolve();
    if (name === 'sync' && path.includes('journal-') && state.holdsSync) {
      syncing.resolve();
      return synced.promise;
    }
    if (name !== 'read' || !path.includes('segment-')) return undefined;
    state.reads += 1;
    if (state.unreadable) throw systemError('EIO');
    return undefined;
  });
  return { fs, state, folding, named, syncing, synced, tidied };
}

describe.each(Object.keys(changes) as (keyof typeof changes)[])('OP-94: a row of history %s', (kind) => {
  test('while a fold that moved it ends before the change is synced', async () => {
    const { fs, state, folding, named, syncing, synced, tidied } = disk();
    const dir = await temporaryFolder();
    const { store } = await open({ dir, fs, spec, foldAfterBytes: 100 });
    await put(store, 4);
    state.holdsName = true;
    await put(store, 3);
    await put(store, 7);
    await folding.promise;
    state.holdsSync = true;
    const changed = changes[kind](store);
    await syncing.promise;
    named.resolve();
    await tidied.promise;
    state.unreadable = true;
    synced.resolve();
    await changed;
    state.unreadable = false;
    expect([store.get('orders', 'o4'), store.gaveUp, store.count('orders')]).toEqual([
      left[kind],
      undefined,
      kind === 'is changed' ? 3 : 2,
    ]);
    state.holdsName = false;
    state.holdsSync = false;
    await store.close();
    const { store: again } = await open({ dir, spec });
    expect(again.get('orders', 'o4')).toEqual(left[kind]);
  });

  test('while others read so much that what was read of it is forgotten', async () => {
    const { fs, state, syncing, synced } = disk();
    const dir = await temporaryFolder();
    const { store: first } = await open({ dir, spec });
    const note = 'x'.repeat(10_000);
    for (let n = 1; n <= 150; n += 1) await put(first, 4 * n, note);
    await first.close();
    const { store } = await open({ dir, fs, spec });
    state.holdsSync = true;
    const changed = changes[kind](store);
    await syncing.promise;
    for (let n = 2; n <= 150; n += 1) expect(store.get('orders', `o${4 * n}`)?.note).toBe(note);
    state.unreadable = true;
    state.reads = 0;
    synced.resolve();
    await changed;
    expect([store.gaveUp, state.reads]).toEqual([undefined, 0]);
    state.unreadable = false;
    state.holdsSync = false;
    expect(store.get('orders', 'o4')).toEqual(left[kind]);
    await store.close();
    const { store: again } = await open({ dir, spec });
    expect([again.get('orders', 'o4'), again.count('orders')]).toEqual([left[kind], kind === 'is changed' ? 150 : 149]);
  });
});
