/** OP-74: what is written waits for no sync, what is synced does, and both take effect in the order of the calls. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import type { Change, Committed } from '../../sandbox/store/store.ts';
import { Transactor } from '../../sandbox/store/transactor.ts';
import { turn } from '../../sandbox/store/turn.ts';
import { mostUnseen } from '../../sandbox/store/unseen.ts';
import { WorkingSet } from '../../sandbox/store/working-set.ts';
import { systemError } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { holdingFiles, openTwo, order, seen, twoAdapters, twoSpec, visit } from './two-books.ts';

/** A store whose syncs can be held up, with an order that is synced and a visit that is written. */
async function heldStore() {
  const dir = await temporaryFolder();
  const disk = holdingFiles();
  const { store } = await openTwo({ dir, fs: disk.files });
  await order(store, 0);
  await visit(store, 0);
  disk.calls.length = 0;
  disk.hold();
  return { dir, disk, store };
}

/** What the disk would show a process that starts now. */
async function journalOf(dir: string): Promise<string> {
  return readFile(join(dir, 'journal-0.log'), 'utf8');
}

/** Whether it has settled once everything that waits for no disk has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  return settled;
}

describe.each(Object.entries(twoAdapters))('OP-74: the %s store', (_name, openAdapter) => {
  test('what is written is seen when it is acknowledged, and by every later transaction', async () => {
    const store = await openAdapter();
    await visit(store, 1);
    expect([seen(store), await store.transact((tx) => tx.count('visits'))]).toEqual([{ orders: [], visits: [1] }, 1]);
  });

  test('both kinds take effect, are seen and are heard of in the order of the calls', async () => {
    const store = await openAdapter();
    const heard: unknown[] = [];
    const note = (committed: Committed): void => {
      heard.push(
        (committed as Change[]).map(({ record }) => record),
        seen(store),
      );
    };
    store.onCommit(note);
    await Promise.all([visit(store, 1), order(store, 2), visit(store, 3)]);
    expect(heard).toEqual([
      [1],
      { orders: [], visits: [1] },
      [2],
      { orders: [2], visits: [1] },
      [3],
      { orders: [2], visits: [1, 3] },
    ]);
  });

  test('a change of both kinds is one: all of it is seen, or none', async () => {
    const store = await openAdapter();
    const both = store.transact((tx) => {
      tx.put('visits', 'v1', 1);
      tx.put('orders', 'o1', 1);
    });
    const views = [seen(store)];
    store.onCommit(() => views.push(seen(store)));
    await both;
    expect(views).toEqual([
      { orders: [], visits: [] },
      { orders: [1], visits: [1] },
    ]);
  });

  test('flush resolves when all that was asked for is seen, of either kind', async () => {
    const store = await openAdapter();
    void order(store, 1);
    void visit(store, 2);
    await store.flush();
    expect(seen(store)).toEqual({ orders: [1], visits: [2] });
  });
});

test('OP-74: what is written takes one write and no sync, however many share a turn', async () => {
  const { store, disk } = await heldStore();
  await Promise.all(Array.from({ length: 300 }, (_, n) => visit(store, n)));
  expect(disk.calls.map(({ name }) => name)).toEqual(['write']);
  disk.release();
});

test('OP-74: what is written is acknowledged while a sync is under way, and is with the system then', async () => {
  const { dir, store, disk } = await heldStore();
  const ordered = order(store, 1);
  await disk.isHeld();
  const visited = visit(store, 1);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  const settled = [await isSettled(visited), await isSettled(ordered)];
  const [journal, shown] = [await journalOf(dir), seen(store)];
  disk.release();
  await Promise.all([ordered, visited]);
  expect(settled).toEqual([true, false]);
  expect(journal).toContain('[["visits","v1",1]]');
  // Not seen before the order that came first.
  expect(shown).toEqual({ orders: [0], visits: [0] });
  expect(seen(store)).toEqual({ orders: [0, 1], visits: [0, 1] });
});

test('OP-74: batches are written while a sync is under way, and share the next', async () => {
  const { dir, store, disk } = await heldStore();
  const first = order(store, 1);
  await disk.isHeld();
  const second = order(store, 2);
  await turn();
  await turn();
  const third = order(store, 3);
  await turn();
  await turn();
  expect(await journalOf(dir)).toContain('[["orders","o3",3]]');
  expect([await isSettled(Promise.race([first, second, third])), seen(store).orders]).toEqual([false, [0]]);
  disk.release();
  await Promise.all([first, second, third]);
  expect([disk.calls.map(({ name }) => name), seen(store).orders]).toEqual([
    // After each sync a write notes up to where the journal is synced.
    ['write', 'sync', 'write', 'write', 'write', 'sync', 'write'],
    [0, 1, 2, 3],
  ]);
});

test('OP-74: what was written after a sync began is not acknowledged by it', async () => {
  const { store, disk } = await heldStore();
  const first = order(store, 1);
  await disk.isHeld();
  const second = order(store, 2);
  await turn();
  const released = disk.release;
  disk.hold = () => undefined;
  released();
  await first;
  expect(seen(store).orders).toEqual([0, 1]);
  await second;
  expect(seen(store).orders).toEqual([0, 1, 2]);
});

test('OP-74: one that changes nothing waits for a sync only where it touched what is being synced, or nothing', async () => {
  const { store, disk } = await heldStore();
  void order(store, 1);
  await disk.isHeld();
  const refused = new Error('over quota');
  const refuse = store.transact((tx) => {
    tx.get('visits', 'v0');
    throw refused;
  });
  await expect(refuse).rejects.toBe(refused);
  expect(await store.transact((tx) => tx.count('visits'))).toBe(1);
  const waiting = [
    store.transact((tx) => tx.count('orders')),
    store.transact((tx) => tx.count('visits') + tx.count('orders')),
    store.transact((tx) => {
      tx.put('visits', 'v1', tx.count('orders'));
      return 0;
    }),
    store.transact((tx) => {
      if (tx.get('orders', 'o1') !== undefined) throw refused;
      return 0;
    }),
    store.flush(),
  ];
  expect(await Promise.all(waiting.map(isSettled))).toEqual([false, false, false, false, false]);
  disk.release();
  expect(await Promise.allSettled(waiting)).toMatchObject([
    { value: 2 },
    { value: 3 },
    { value: 0 },
    { reason: refused },
    {},
  ]);
});

test('OP-74: with nothing being synced, one that changes nothing waits for nothing', async () => {
  const { store, disk } = await heldStore();
  await visit(store, 1);
  expect(await store.transact((tx) => tx.count('orders'))).toBe(1);
  await store.flush();
  expect(disk.calls.map(({ name }) => name)).toEqual(['write']);
  disk.release();
});

test(`OP-74: at most ${mostUnseen.transactions} are acknowledged and not seen: more wait for the sync`, async () => {
  const { store, disk } = await heldStore();
  const ordered = order(store, 1);
  await disk.isHeld();
  const visits = Array.from({ length: mostUnseen.transactions }, (_, n) => visit(store, n));
  // With the order that is being synced there are as many as may be.
  await Promise.all(visits.slice(0, 9500));
  const one = visit(store, -1);
  expect(await isSettled(one)).toBe(false);
  disk.release();
  await Promise.all([ordered, one, ...visits]);
  expect(store.count('visits')).toBe(mostUnseen.transactions + 1);
});

test('OP-74: at most so many bytes are acknowledged and not seen: more wait for the sync', async () => {
  const { promise: synced, resolve: release } = Promise.withResolvers<void>();
  const none = async () => {};
  const log = {
    ...{ write: () => 400, sync: () => synced, stand: () => {}, takeBack: none, abandon: none, close: none },
    prepare: () => expect.fail('nothing is replaced'),
  };
  const store = new Transactor(new WorkingSet(twoSpec), log, expect.fail, {
    most: { transactions: 100, bytes: 1_000 },
  });
  const ordered = order(store, 1);
  await turn();
  await turn();
  // A line of 400 bytes is being synced, and two more are room for what comes before the bound is reached.
  await visit(store, 1);
  await visit(store, 2);
  const third = visit(store, 3);
  expect(await isSettled(third)).toBe(false);
  release();
  await Promise.all([ordered, third]);
  expect(seen(store)).toEqual({ orders: [1], visits: [1, 2, 3] });
});

test('OP-74: who lost its folder acknowledges nothing that it writes', async () => {
  const dir = await temporaryFolder();
  const { store } = await openTwo({ dir });
  await visit(store, 1);
  await rm(join(dir, 'lock-1'));
  await expect(visit(store, 2)).rejects.toMatchObject({ code: 'gave_up' });
  expect([seen(store).visits, store.gaveUp?.code]).toEqual([[1], 'gave_up']);
  await expect(visit(store, 3)).rejects.toMatchObject({ code: 'gave_up' });
});

describe('OP-74: where the disk fails', () => {
  test('a write that is refused takes nothing with it that was written before and is being synced', async () => {
    const dir = await temporaryFolder();
    let full = false;
    const disk = holdingFiles(diskFiles, ({ name }) => {
      if (full && name === 'write') throw systemError('ENOSPC');
    });
    const { store } = await openTwo({ dir, fs: disk.files });
    disk.hold();
    const ordered = order(store, 1);
    await disk.isHeld();
    await visit(store, 1);
    full = true;
    const refused = Promise.allSettled([order(store, 2), visit(store, 2)]);
    await turn();
    await turn();
    full = false;
    disk.release();
    expect(await refused).toMatchObject([{ reason: { code: 'refused' } }, { reason: { code: 'refused' } }]);
    await ordered;
    await order(store, 3);
    expect(seen(store)).toEqual({ orders: [1, 3], visits: [1] });
    await store.close();
    const { store: again, warnings } = await openTwo({ dir });
    expect([seen(again), warnings]).toEqual([{ orders: [1, 3], visits: [1] }, []]);
  });

  test('a sync that fails takes back what it was to keep, with what was decided on top of it, and nothing from before', async () => {
    const dir = await temporaryFolder();
    const disk = holdingFiles();
    const { store } = await openTwo({ dir, fs: disk.files });
    await order(store, 0);
    await visit(store, 0);
    disk.hold();
    const ordered = order(store, 1);
    await disk.isHeld();
    await visit(store, 1);
    disk.fail(systemError('EIO'));
    await expect(ordered).rejects.toMatchObject({ code: 'gave_up' });
    await expect(visit(store, 2)).rejects.toMatchObject({ code: 'gave_up' });
    expect(seen(store)).toEqual({ orders: [0], visits: [0] });
    await store.close();
    const { store: again, warnings } = await openTwo({ dir });
    expect([seen(again), warnings]).toEqual([{ orders: [0], visits: [0] }, []]);
  });

  test('what was written and stands is handed to the system anew after a failed sync, which may have dropped it', async () => {
    const dir = await temporaryFolder();
    const disk = holdingFiles();
    const { store } = await openTwo({ dir, fs: disk.files });
    await visit(store, 1);
    const written = await journalOf(dir);
    disk.hold();
    const ordered = order(store, 1);
    await disk.isHeld();
    disk.calls.length = 0;
    disk.fail(systemError('EIO'));
    await expect(ordered).rejects.toMatchObject({ code: 'gave_up' });
    expect(disk.calls.map(({ name }) => name)).toEqual(['truncate', 'read', 'write', 'sync']);
    expect(await journalOf(dir)).toBe(written);
  });
});
