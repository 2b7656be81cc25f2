/** Folders of a test on the disk: creates them, copies them while in use, and measures them. */
import { cp, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file system in memory, as Linux has it. */
const inMemory = '/dev/shm';
/** As much as a hundred data folders take. */
const leastFreeBytes = 1024 ** 3;

/** Where tests that sync thousands of times have their folders: in memory if there is room, so that they do not measure the disk. */
export async function fastPlace(): Promise<string> {
  const free = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free < leastFreeBytes ? tmpdir() : inMemory;
}

/** An empty folder that is removed after the test. */
export async function temporaryFolder(place = tmpdir()): Promise<string> {
  const dir = await mkdtemp(join(place, 'rewards-sandbox-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/**
 * A copy of a folder in use as it is at one instant, which is what a kill at that instant would leave. It omits the files of
 * the lock: to read them here would release it. It is next to the folder.
 */
export async function copyOfFolder(dir: string): Promise<string> {
  for (let before = await sizesIn(dir); ; ) {
    const copy = await temporaryFolder(dirname(dir));
    // A file that is removed meanwhile is a reason to copy again, like any other change.
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

/** Names and sizes of all files. A log only grows, until a checkpoint trims it. */
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

/** The bytes of all files in a data folder. */
export async function folderBytes(dir: string): Promise<number> {
  const names = await readdir(dir);
  // A file that is removed meanwhile counts as empty.
  const sizes = names.map((name) =>
    stat(join(dir, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
