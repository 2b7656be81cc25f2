/** Folders of a test on the disk: creates them, copies them while in use, and measures them. */
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'rewards-sandbox-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/**
 * A copy of a folder in use as it is at one instant, which is what a kill at that instant would leave. It omits the files of
 * the lock: to read them here would release it.
 */
export async function copyOfFolder(dir: string): Promise<string> {
  for (let before = await sizesIn(dir); ; ) {
    const copy = await temporaryFolder();
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
