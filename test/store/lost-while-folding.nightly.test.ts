/** A sync that fails while the journal is folded: the store gives up, answers everybody, and closes. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { filesOpenIn, systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { openTwo, order, seen, twoSpec, visit } from './two-books.ts';

/** A file keeps the name to the hook under which it was made. */
const firstJournal = /journal-0\.log/;
const nextJournal = /journal-[1-9]\d*\.log\.tmp$/;

/** What the disk does when the journal is to be folded, by the call that fails. */
test.each([
  ['the sync before the new journal', { name: 'sync', path: firstJournal, nth: 3 }],
  ['the write of the new journal', { name: 'write', path: nextJournal, nth: 1 }],
  ['the sync of the new journal', { name: 'sync', path: nextJournal, nth: 1 }],
  ['the name of the new journal', { name: 'rename', path: nextJournal, nth: 1 }],
  ['the sync of the document', { name: 'sync', path: /db\.json\.tmp$/, nth: 1 }],
])('OP-74: %s fails while others write: everybody is answered, and closing ends', async (_what, failing) => {
  const dir = await temporaryFolder();
  let calls = 0;
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name !== failing.name || !failing.path.test(path)) return;
    calls += 1;
    // From the first on that fails, since a journal is begun anew after a failure.
    if (calls >= failing.nth) throw systemError('EIO');
  });
  const { store } = await openTwo({ dir, fs, foldAfterBytes: 200 });
  const asked: Promise<PromiseSettledResult<void>>[] = [];
  const settled = (one: Promise<void>) => Promise.allSettled([one] as const).then(([outcome]) => outcome);
  for (let n = 0; n < 40; n += 1) {
    asked.push(settled(order(store, n)), settled(visit(store, n)));
    if (n % 3 === 0) await asked.at(n % 2 === 0 ? -1 : -2);
  }
  const outcomes = await Promise.all(asked);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused.length > 0).toBe(store.gaveUp !== undefined);
  for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: 'gave_up' } });
  expect(calls).toBeGreaterThanOrEqual(failing.nth);
  const content = seen(store);
  await store.close();
  expect(await filesOpenIn(dir)).toEqual([]);
  const { store: again } = await openTwo({ dir });
  expect([seen(again), (await readdir(dir)).filter((name) => name.endsWith('.tmp'))]).toEqual([content, []]);
});

test('OP-74: a sync that fails while the document is written: closing waits for the document and ends', async () => {
  const dir = await temporaryFolder();
  const written = Promise.withResolvers<void>();
  const folding = Promise.withResolvers<void>();
  let fails = false;
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (fails && name === 'sync' && path.includes('journal-')) throw systemError('EIO');
    if (name !== 'rename' || !path.includes('db.json')) return undefined;
    folding.resolve();
    return written.promise;
  });
  const { store } = await openTwo({ dir, fs, foldAfterBytes: 100 });
  for (let n = 0; n < 5; n += 1) await order(store, n);
  await folding.promise;
  fails = true;
  await expect(order(store, 5)).rejects.toMatchObject({ code: 'gave_up' });
  const content = seen(store);
  const closed = store.close();
  written.resolve();
  await closed;
  const { store: again } = await openTwo({ dir });
  expect(seen(again)).toEqual(content);
});

test('OP-74: closing lets go of the folder also where the journal cannot be closed', async () => {
  const dir = await temporaryFolder();
  const fs: typeof diskFiles = {
    ...diskFiles,
    create: async (path) => {
      const file = await diskFiles.create(path);
      if (!path.includes('journal-1.log')) return file;
      return { ...file, close: () => file.close().then(() => Promise.reject(systemError('EIO'))) };
    },
  };
  const store = await openLowdbStore({ dir, spec: twoSpec, fs, warn: expect.fail });
  await order(store, 1);
  await expect(store.close()).rejects.toMatchObject({ code: 'EIO' });
  expect(await readdir(dir)).toEqual(['db.json', 'journal-1.log']);
});
