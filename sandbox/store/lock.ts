import { statSync } from 'node:fs';
import { access, open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { systemCode } from './files.ts';
import { StoreError } from './store.ts';

/** An exclusive lock on a folder. It lasts until this process releases it or ends. */
export interface Lock {
  /** Returns whether the locked file still exists. If it was replaced, another process could lock the new file. */
  isHeld(): boolean;
  release(): Promise<void>;
}

const lockName = 'lock';
/** The file that names the lock holder. Its content is used in messages only. */
const holderName = 'lock.json';

/** Returns whether this is the name of a lock file. */
export function isLockFile(name: string): boolean {
  return name === lockName || name === holderName;
}

/**
 * Locks a folder. Throws `locked`, with the holder in the message, if another process has locked it.
 *
 * Node has no file locks, so this uses SQLite, which is part of Node. SQLite acquires a kernel lock (fcntl, LockFileEx)
 * on a file that stays empty. The kernel releases the lock however the process ends, and no namespace hides it from
 * other processes on the machine.
 */
export async function lockFolder(dir: string): Promise<Lock> {
  const path = join(dir, lockName);
  await refuseRemovedLock(dir);
  await createLockFile(path);
  const database = new DatabaseSync(path);
  try {
    // Nothing is ever written, so SQLite needs no journal file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw cause;
    const message = `${dir} is in use by ${await holder(dir)}: stop it first, or choose another folder`;
    throw new StoreError('locked', message, { cause });
  }
  let locked: number;
  try {
    locked = (await stat(path)).ino;
    await writeHolder(join(dir, holderName));
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    isHeld: () => statSync(path, { throwIfNoEntry: false })?.ino === locked,
    async release() {
      await rm(join(dir, holderName), { force: true }).finally(() => database.close());
    },
  };
}

/** Throws if the lock file was removed but the holder file remains. Only a person can cause this, and the holder may still be running. */
async function refuseRemovedLock(dir: string): Promise<void> {
  const isThere = (name: string) =>
    access(join(dir, name))
      .then(() => true)
      .catch(() => false);
  if ((await isThere(lockName)) || !(await isThere(holderName))) return;
  const remedy = `stop that process, then delete ${join(dir, holderName)}`;
  throw new StoreError(
    'locked',
    `${join(dir, lockName)} was removed while ${await holder(dir)} may use ${dir}: ${remedy}`,
  );
}

/**
 * Creates the lock file for the owner only, which SQLite would not do. An existing file is not opened, because closing
 * it would release a lock that this process has on it.
 */
async function createLockFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

async function writeHolder(path: string): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(JSON.stringify({ pid, host: hostname() })).finally(() => file.close());
}

/** Returns whether the error is `SQLITE_BUSY`. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

async function holder(dir: string): Promise<string> {
  try {
    const { pid: holding, host } = JSON.parse(await readFile(join(dir, holderName), 'utf8'));
    return `process ${holding} on ${host}`;
  } catch {
    return 'another process';
  }
}
