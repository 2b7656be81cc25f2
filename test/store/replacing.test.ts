/** What the disk refuses while other content is put in place of everything, and what is left of it. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import type { StoreError } from '../../sandbox/store/store.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { open } from './books.ts';
import { add, replace, stateOf } from './replacement-crashes.ts';

test.each([
  ['write', /db\.json\.tmp$/],
  ['sync', /db\.json\.tmp$/],
  ['create', /journal-10000\d\d\.log\.tmp$/],
  ['write', /journal-10000\d\d\.log/],
  ['sync', /journal-10000\d\d\.log/],
  ['rename', /db\.json\.tmp$/],
])(
  'ENOSPC at `%s` of %s: `refused`, nothing changed, nothing is left, and the next one succeeds',
  async (name, path) => {
    const dir = await temporaryFolder();
    let full = false;
    const fs = withFaults(diskFiles, (call) => {
      if (full && call.name === name && path.test(call.path)) throw systemError('ENOSPC');
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

test('where the rename fails and it cannot be seen whether it happened, nothing more is accepted or written', async () => {
  const dir = await temporaryFolder();
  let lost = false;
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name === 'rename' && path.endsWith('db.json.tmp')) lost = true;
    if (lost && ['rename', 'list'].includes(name)) throw systemError('EIO');
  });
  const { store, warnings } = await open({ dir, fs });
  await add(store);
  await expect(replace(store, async () => {})).rejects.toMatchObject({ code: 'gave_up' });
  await expect(add(store)).rejects.toMatchObject({ code: 'gave_up' });
  expect([stateOf(store), warnings]).toEqual([['ann', 1], [`${dir} could not be listed: Error: EIO: injected`]]);
  lost = false;
  await store.close();
  expect((await readdir(dir)).toSorted()).toEqual(['db.json.tmp', 'journal-0.log', 'journal-1000002.log']);
  const { store: again } = await open({ dir });
  expect([stateOf(again), (await readdir(dir)).toSorted()]).toEqual([
    ['ann', 1],
    ['journal-0.log', 'lock-1'],
  ]);
});

test('the beginning of a replacement is removed only where the journals before it are there; else it is `damaged`', async () => {
  const dir = await temporaryFolder();
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name === 'rename' && path.endsWith('db.json.tmp')) throw systemError('EIO');
    if (name === 'remove' && path.endsWith('1000002.log')) throw systemError('EIO');
  });
  const { store, warnings } = await open({ dir, fs });
  await add(store);
  await expect(replace(store, async () => {})).rejects.toMatchObject({ code: 'refused' });
  expect(warnings).toEqual([expect.stringContaining('is removed at the next start: Error: EIO')]);
  const names = ['journal-0.log', 'journal-1000002.log'];
  const [journal, begun] = await Promise.all(names.map((name) => readFile(join(dir, name))));
  const opened = async (left: Record<string, Uint8Array | undefined>): Promise<unknown> => {
    const folder = await temporaryFolder();
    for (const [name, bytes] of Object.entries(left)) await writeFile(join(folder, name), bytes ?? '');
    const outcome = await open({ dir: folder }).then(
      ({ store: again }) => stateOf(again),
      ({ code }: StoreError) => code,
    );
    const kept = (await readdir(folder)).filter((name) => name.startsWith('journal'));
    await rm(folder, { recursive: true });
    return [outcome, kept];
  };
  expect(await opened({ 'journal-0.log': journal, 'journal-1000002.log': begun })).toEqual([
    ['ann', 1],
    ['journal-0.log'],
  ]);
  expect(await opened({ 'journal-1000002.log': begun })).toEqual(['damaged', ['journal-1000002.log']]);
});

test('where more is written meanwhile than there are numbers for, it is `refused` and nothing changes', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, mostMeanwhile: 1 });
  await replace(store, () => add(store));
  const tooMany = replace(store, async () => {
    await add(store);
    await add(store);
  });
  await expect(tooMany).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('Too much') });
  expect(stateOf(store)).toEqual(['bob', 5]);
  await store.close();
  const { store: again } = await open({ dir });
  expect(stateOf(again)).toEqual(['bob', 5]);
});

test('nothing is folded while other content is prepared: both would write to the same file', async () => {
  const dir = await temporaryFolder();
  const created: string[] = [];
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name === 'create' && path.endsWith('db.json.tmp')) created.push(path);
  });
  const { store, warnings } = await open({ dir, fs, foldAfterBytes: 1 });
  await replace(store, async () => {
    for (let n = 0; n < 20; n += 1) await add(store);
  });
  expect([stateOf(store), created.length, warnings]).toEqual([['bob', 3], 1, []]);
});

test('what is prepared waits for a fold that is under way', async () => {
  const dir = await temporaryFolder();
  const { promise: allowed, resolve: go } = Promise.withResolvers<void>();
  const { promise: folding, resolve: reach } = Promise.withResolvers<void>();
  const files: string[] = [];
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (!path.endsWith('db.json.tmp')) return undefined;
    files.push(name);
    if (name !== 'create' || files.length > 1) return undefined;
    reach();
    return allowed;
  });
  const { store } = await open({ dir, fs, foldAfterBytes: 1 });
  await add(store);
  await add(store);
  await folding;
  const replaced = replace(store, async () => {});
  for (let n = 0; n < 20; n += 1) await add(store);
  expect(files).toEqual(['create']);
  go();
  await replaced;
  expect(files.filter((name) => name === 'create' || name === 'rename')).toEqual([
    ...['create', 'rename'],
    ...['create', 'rename'],
  ]);
  expect(stateOf(store)).toEqual(['bob', 3]);
});

test('a store that closes lets go of its folder only when what was prepared is removed', async () => {
  const dir = await temporaryFolder();
  const { promise: allowed, resolve: go } = Promise.withResolvers<void>();
  const { promise: removing, resolve: reach } = Promise.withResolvers<void>();
  const fs = withFaults(diskFiles, ({ name, path }) => {
    if (name !== 'remove' || !path.endsWith('db.json.tmp')) return undefined;
    reach();
    return allowed;
  });
  const { store } = await open({ dir, fs });
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
  expect((await readdir(dir)).toSorted()).toEqual(['db.json', 'journal-1.log']);
});
