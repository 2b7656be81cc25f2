/** Tests that a data folder has only one writer. test/cli/lock.nightly.test.ts tests processes in two network namespaces. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFolder } from '../../sandbox/store/lock.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { bytesOf, open, pay } from './stores.ts';

const lockModule = join(import.meta.dirname, '../../sandbox/store/lock.ts');
const inUse = (dir: string, pid: number) =>
  `${dir} is in use by process ${pid} on ${hostname()}: stop it first, or choose another folder`;

/** Tries to lock the folder from another process. Returns that process's output. */
function lockElsewhere(dir: string): string {
  const script = `import { lockFolder } from ${JSON.stringify(lockModule)};
    console.log(await lockFolder(${JSON.stringify(dir)}).then(() => 'locked it', (error) => error.code + ': ' + error.message));`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }).trim();
}

test('the first process has the folder, for the owner only; a second is refused with `locked` and the pid of the first', async () => {
  const dir = await temporaryFolder();
  const lock = await lockFolder(dir);
  const names = (await readdir(dir)).toSorted();
  expect(names).toEqual(['lock', 'lock.json']);
  for (const name of names) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  await expect(lockFolder(dir)).rejects.toMatchObject({ code: 'locked', message: inUse(dir, process.pid) });
  await lock.release();
});

test('a refused second attempt in the same process does not release the lock: another process is refused too', async () => {
  const dir = await temporaryFolder();
  const lock = await lockFolder(dir);
  await expect(lockFolder(dir)).rejects.toMatchObject({ code: 'locked' });
  expect(lockElsewhere(dir)).toBe(`locked: ${inUse(dir, process.pid)}`);
  await lock.release();
});

test('after its lock file was removed, a running process still has the folder: no other one starts, and it writes nothing more', async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir });
  await pay(store, 'o1');
  await rm(join(dir, 'lock'));
  const before = await bytesOf(dir);
  expect(lockElsewhere(dir)).toBe(
    `locked: ${join(dir, 'lock')} was removed while process ${process.pid} on ${hostname()} may use ${dir}: stop that process, then delete ${join(dir, 'lock.json')}`,
  );
  expect(await readdir(dir)).not.toContain('lock');
  await expect(pay(store, 'o2')).rejects.toMatchObject({
    code: 'gave_up',
    message: `A disk write failed (the folder ${dir} or its lock was removed): restart the sandbox`,
  });
  await store.close();
  expect(await bytesOf(dir)).toEqual(before);
  const { store: again } = await open({ dir });
  expect(again.ids('orders')).toEqual(['o1']);
});

test.each(['', 'wal.log'])('a change is refused once the data folder, or %s in it, was removed', async (name) => {
  const dir = join(await temporaryFolder(), 'data');
  const { store } = await open({ dir });
  await pay(store, 'o1');
  await rm(join(dir, name), { recursive: true });
  await expect(pay(store, 'o2')).rejects.toMatchObject({ code: 'gave_up' });
  expect(store.ids('orders')).toEqual(['o1']);
});

test('a process that ends without a release frees the folder, whatever its lock file says', async () => {
  const dir = await temporaryFolder();
  expect(lockElsewhere(dir)).toBe('locked it');
  expect(JSON.parse(await readFile(join(dir, 'lock.json'), 'utf8'))).not.toMatchObject({ pid: process.pid });
  const lock = await lockFolder(dir);
  expect(JSON.parse(await readFile(join(dir, 'lock.json'), 'utf8'))).toEqual({ pid: process.pid, host: hostname() });
  await lock.release();
  expect(await readdir(dir)).toEqual(['lock']);
});
