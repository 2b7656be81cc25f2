/** Tests disk failures during a replacement of the whole content, and the files that they leave behind. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { copyOfFolder, temporaryFolder } from '../harness/folders.ts';
import { add, replace, stateOf } from './replacement-crashes.ts';
import { open } from './stores.ts';

test.each([['create'], ['write'], ['sync'], ['rename']])(
  'ENOSPC at `%s` of the new document: `refused`, no change, no file left, and the next replacement succeeds',
  async (name) => {
    const dir = await temporaryFolder();
    let full = false;
    const fs = withFaults(diskFiles, (call) => {
      if (full && call.name === name && call.path.endsWith('db.json.tmp')) throw systemError('ENOSPC');
    });
    const { store, warnings } = await open({ dir, fs });
    await add(store);
    const before = (await readdir(dir)).toSorted();
    full = true;
    await expect(replace(store, async () => {})).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('ENOSPC'),
    });
    expect([(await readdir(dir)).toSorted(), stateOf(store)]).toEqual([before, ['ann', 1]]);
    await add(store);
    full = false;
    await replace(store, () => add(store));
    expect([stateOf(store), warnings]).toEqual([['bob', 3], []]);
    await store.close();
    const { store: again } = await open({ dir });
    expect(stateOf(again)).toEqual(['bob', 3]);
  },
);

test('a replacement takes effect even if the log cannot be trimmed after it, and changes continue', async () => {
  const dir = await temporaryFolder();
  let isFull = false;
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (isFull && name === 'create' && path.endsWith('wal.log.tmp')) throw systemError('ENOSPC');
  });
  const { store } = await open({ dir, fs });
  await add(store);
  isFull = true;
  await replace(store, async () => {});
  expect([stateOf(store), store.checkpointFailure]).toEqual([['bob', 3], 'Error: ENOSPC: injected']);
  await add(store);
  const copy = await copyOfFolder(dir);
  const { store: killed } = await open({ dir: copy });
  expect(stateOf(killed)).toEqual(['bob', 4]);
});

test('if the rename fails with an unknown outcome, the store accepts and writes nothing more', async () => {
  const dir = await temporaryFolder();
  let lost = false;
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name === 'rename' && path.endsWith('db.json.tmp')) lost = true;
    if (lost && ['rename', 'list'].includes(name)) throw systemError('EIO');
  });
  const { store } = await open({ dir, fs });
  await add(store);
  await expect(replace(store, async () => {})).rejects.toMatchObject({ code: 'gave_up' });
  await expect(add(store)).rejects.toMatchObject({ code: 'gave_up' });
  expect(stateOf(store)).toEqual(['ann', 1]);
  lost = false;
  await store.close();
  expect((await readdir(dir)).toSorted()).toEqual(['db.json.tmp', 'lock', 'wal.log']);
  const { store: again } = await open({ dir });
  expect([stateOf(again), (await readdir(dir)).toSorted()]).toEqual([
    ['ann', 1],
    ['lock', 'lock.json', 'wal.log'],
  ]);
});

test('no checkpoint begins while a replacement is prepared: both would write to the same file', async () => {
  const dir = await temporaryFolder();
  const created: string[] = [];
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name === 'create' && path.endsWith('db.json.tmp')) created.push(path);
  });
  const { store, warnings } = await open({ dir, fs, checkpointAfterBytes: 1 });
  await replace(store, async () => {
    for (let n = 0; n < 20; n += 1) await add(store);
  });
  expect([stateOf(store), created.length, warnings]).toEqual([['bob', 3], 1, []]);
});

test('a replacement waits for a checkpoint in progress', async () => {
  const dir = await temporaryFolder();
  const { promise: allowed, resolve: go } = Promise.withResolvers<void>();
  const { promise: begun, resolve: reach } = Promise.withResolvers<void>();
  const files: string[] = [];
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (!path.endsWith('db.json.tmp') || !['create', 'rename'].includes(name)) return undefined;
    files.push(name);
    if (files.length > 1) return undefined;
    reach();
    return allowed;
  });
  const { store } = await open({ dir, fs, checkpointAfterBytes: 1 });
  await add(store);
  await begun;
  const replaced = replace(store, async () => {});
  for (let n = 0; n < 20; n += 1) await add(store);
  expect(files).toEqual(['create']);
  go();
  await replaced;
  expect(files).toEqual(['create', 'rename', 'create', 'rename']);
  expect(stateOf(store)).toEqual(['bob', 3]);
});

test('a store that closes releases its folder only after it has removed a prepared replacement', async () => {
  const dir = await temporaryFolder();
  const { promise: allowed, resolve: go } = Promise.withResolvers<void>();
  const { promise: removing, resolve: reach } = Promise.withResolvers<void>();
  let isOpen = false;
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (!isOpen || name !== 'remove' || !path.endsWith('db.json.tmp')) return undefined;
    reach();
    return allowed;
  });
  const { store } = await open({ dir, fs });
  isOpen = true;
  await add(store);
  let closed: Promise<void> | undefined;
  const replaced = replace(store, async () => {
    closed = store.close();
  });
  const refused = expect(replaced).rejects.toMatchObject({ code: 'closed' });
  await removing;
  await store.flush();
  await expect(open({ dir })).rejects.toMatchObject({ code: 'locked' });
  go();
  await Promise.all([refused, closed]);
  expect((await readdir(dir)).toSorted()).toEqual(['db.json', 'lock', 'wal.log']);
});
