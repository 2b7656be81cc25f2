/** Tests that a large store closes without a final checkpoint, so that the process ends in time (OP-24). */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { open, pay } from './stores.ts';

test('a store with more bytes than it may write at its end leaves them in the log, and the next opening has all', async () => {
  const dir = await temporaryFolder();
  const { store, warnings } = await open({ dir, mostBytesAtClose: 100 });
  for (const id of ['o1', 'o2', 'o3']) await pay(store, id);
  await store.close();
  expect(await readdir(dir)).not.toContain('db.json');
  const { store: again } = await open({ dir });
  expect([again.ids('orders'), warnings]).toEqual([['o1', 'o2', 'o3'], []]);
  await again.close();
  expect(await readdir(dir)).toContain('db.json');
});

test('a large checkpoint in progress ends with the store, and leaves no draft and no warning', async () => {
  const dir = await temporaryFolder();
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name !== 'create' || !path.endsWith('db.json.tmp')) return undefined;
    started.resolve();
    return release.promise;
  });
  const { store, warnings } = await open({ dir, fs, checkpointAfterBytes: 1, mostBytesAtClose: 100 });
  await pay(store, 'o1');
  await started.promise;
  const closed = store.close();
  setImmediate(() => release.resolve());
  await closed;
  expect((await readdir(dir)).toSorted()).toEqual(['lock', 'wal.log']);
  const { store: again } = await open({ dir });
  expect([again.ids('orders'), warnings]).toEqual([['o1'], []]);
});
