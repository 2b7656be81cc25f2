/** Creates, copies and measures test folders on disk. A folder can be copied while in use. */
import { cp, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Linux's in-memory file system. */
const inMemory = '/dev/shm';
/** The space that a hundred data folders need, in bytes. */
const leastFreeBytes = 1024 ** 3;

/**
 * Returns a parent folder for tests that sync thousands of times. It is in memory if there is enough space, so that the tests do not
 * measure the disk.
 */
export async function fastPlace(): Promise<string> {
  const free = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free < leastFreeBytes ? tmpdir() : inMemory;
}

/** Creates an empty folder that is removed after the test. */
export async function temporaryFolder(place = tmpdir()): Promise<string> {
  const dir = await mkdtemp(join(place, 'rewards-sandbox-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/**
 * Copies a folder in use to a sibling folder, as a kill at that instant would leave it. The copy omits the lock files, because reading them
 * in this process would release the lock.
 */
export async function copyOfFolder(dir: string): Promise<string> {
  for (let before = await sizesIn(dir); ; ) {
    const copy = await temporaryFolder(dirname(dir));
    // If a file disappears during the copy, the copy restarts, as for any other change.
    const isComplete = await cp(dir, copy, {
      recursive: true,
      filter: (path) => !['lock', 'lock.json'].includes(basename(path)),
    }).then(
      () => true,
      () => false,
    );
    const after = await sizesIn(dir);
    if (isComplete && after === before) return copy;
    before = after;
  }
}

/** Returns the names and sizes of all files. A log only grows until a checkpoint trims it. */
async function sizesIn(dir: string): Promise<string> {
  const names = (await readdir(dir, { recursive: true })).sort();
  const sizes = names.map((name) =>
    stat(join(dir, name)).then(
      ({ size }) => size,
      () => 'gone',
    ),
  );
  return JSON.stringify([names, await Promise.all(sizes)]);
}

/** Returns the total size of all files in a data folder, in bytes. */
export async function folderBytes(dir: string): Promise<number> {
  const names = await readdir(dir);
  // A file that disappears meanwhile counts as empty.
  const sizes = names.map((name) =>
    stat(join(dir, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
