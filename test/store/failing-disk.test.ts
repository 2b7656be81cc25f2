import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { diskFiles } from '../../sandbox/store/files.ts';
import { type Call, filesOpenIn, systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { bytesOf, contentOf, open, pay } from './stores.ts';

/** Opens a store on a disk whose calls fail as `fails.now` specifies, which returns the code of the error. */
async function openFailing(now: (call: Call) => string | undefined = () => undefined, folder?: string) {
  const dir = folder ?? (await temporaryFolder());
  const fails = { now };
  const fs = withFaults(diskFiles, (call) => {
    const code = fails.now(call);
    if (code) throw systemError(code);
  });
  return { dir, fails, ...(await open({ dir, fs })) };
}

test('ENOSPC: `refused` for the whole batch, memory equals disk, and writes succeed again once there is space', async () => {
  const { dir, store, fails } = await openFailing();
  await pay(store, 'o1');
  fails.now = ({ name }) => (name === 'write' ? 'ENOSPC' : undefined);
  const refused = { status: 'rejected', reason: expect.objectContaining({ name: 'StoreError', code: 'refused' }) };
  expect(await Promise.allSettled([pay(store, 'o2'), pay(store, 'o3')])).toEqual([refused, refused]);
  expect(store.count('orders')).toBe(1);
  fails.now = () => undefined;
  await pay(store, 'o4');
  const content = contentOf(store);
  await store.close();
  const { store: again, warnings } = await open({ dir });
  expect([contentOf(again), warnings]).toEqual([content, []]);
  expect([...again.all('orders').keys()].length).toBe(2);
});

test('a partial write is rolled back: a kill right after it leaves no trace', async () => {
  const dir = await temporaryFolder();
  let half = false;
  const fs = withFaults(diskFiles, () => undefined);
  const short: typeof fs = {
    ...fs,
    create: async (path) => {
      const file = await fs.create(path);
      return {
        ...file,
        writeNow: (bytes, position) => {
          if (!half) return file.writeNow(bytes.subarray(0, 3), position);
          file.writeNow(bytes.subarray(0, bytes.length / 2), position);
          throw systemError('EIO');
        },
      };
    },
  };
  const { store } = await open({ dir, fs: short });
  await pay(store, 'o1');
  const before = await bytesOf(dir);
  half = true;
  await expect(pay(store, 'o2')).rejects.toMatchObject({ code: 'refused' });
  expect(await bytesOf(dir)).toEqual(before);
});

test.each([
  ['one sync', ['sync'], 1],
  ['every sync', ['sync'], Infinity],
  ['a write and its rollback', ['write', 'truncate'], 2],
])('when %s fails, nothing is acknowledged from then on: `gave_up`, also for reads', async (_what, names, times) => {
  const { dir, store, fails } = await openFailing();
  await pay(store, 'o1');
  let failed = 0;
  fails.now = ({ name }) => (names.includes(name) && ++failed <= times ? 'EIO' : undefined);
  await expect(pay(store, 'o2')).rejects.toMatchObject({ code: 'gave_up' });
  fails.now = () => undefined;
  await expect(pay(store, 'o3')).rejects.toMatchObject({ code: 'gave_up' });
  await expect(store.transact((tx) => tx.count('orders'))).rejects.toMatchObject({ code: 'gave_up' });
  const [content, bytes] = [contentOf(store), await bytesOf(dir)];
  await store.close();
  expect(await bytesOf(dir)).toEqual(bytes);
  const { store: again } = await open({ dir });
  expect(contentOf(again)).toEqual(content);
});

test('a failed checkpoint is reported, loses no transaction, and is repeated', async () => {
  const { dir, store, warnings, fails } = await openFailing();
  fails.now = ({ path }) => (path.includes('db.json') ? 'ENOSPC' : undefined);
  const note = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 6; n++) await pay(store, `o${n}`, note);
  fails.now = () => undefined;
  expect(warnings).toEqual([expect.stringMatching(/^Cannot write a checkpoint in .*: Error: ENOSPC: injected$/)]);
  expect(store.checkpointFailure).toBe('Error: ENOSPC: injected');
  for (let n = 6; n < 12; n++) await pay(store, `o${n}`, note);
  await expect.poll(() => store.checkpointFailure).toBeUndefined();
  const content = contentOf(store);
  await store.close();
  expect((await readdir(dir)).sort()).toEqual(['db.json', 'lock', 'wal.log']);
  const { store: again } = await open({ dir });
  expect(contentOf(again)).toEqual(content);
});

test('a failed reopening, whichever call fails, leaves no file open, and the next attempt succeeds', async () => {
  const { dir, store } = await openFailing();
  await pay(store, 'o1');
  await store.close();
  for (let number = 1, failed = true; failed; number += 1) {
    failed = false;
    const now = (call: Call) => {
      failed ||= call.number === number;
      return call.number === number ? 'EIO' : undefined;
    };
    const opened = await openFailing(now, dir).catch((error: Error) => error);
    if (failed) expect(opened).toMatchObject({ code: 'unreadable' });
    if ('store' in opened) await opened.store.close();
    expect(await filesOpenIn(dir)).toEqual([]);
  }
});
