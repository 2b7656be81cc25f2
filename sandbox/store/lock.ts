import { statSync } from 'node:fs';
import { access, open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { systemCode } from './files.ts';
import { StoreError } from './store.ts';

/** A folder that this process alone may write, until it releases it or ends. */
export interface Lock {
  /** Whether the file is still there that the kernel locks: another process could lock a new one in its place. */
  isHeld(): boolean;
  release(): Promise<void>;
}

const lockName = 'lock';
/** Says who holds the lock, for messages only. */
const holderName = 'lock.json';

/** Whether this is the name of a file of the lock. */
export function isLockFile(name: string): boolean {
  return name === lockName || name === holderName;
}

/**
 * Locks a folder, or throws `locked` with who holds it. Node has no file locks of its own: SQLite, which comes with it,
 * takes one of the kernel (fcntl, LockFileEx) on a file that stays empty. The kernel releases it when the process ends,
 * however it ends, and no namespace hides it from another process of the machine.
 */
export async function lockFolder(dir: string): Promise<Lock> {
  const path = join(dir, lockName);
  await refuseRemovedLock(dir);
  await createLockFile(path);
  const database = new DatabaseSync(path);
  try {
    // Nothing is ever written, so no journal file is needed.
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

/** Nothing but a person removes the file of a lock, and never before its holder: a process may still rely on it. */
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
 * For the owner only, which SQLite would not see to. An existing file is not opened: closing it would release a lock that
 * this process has on it.
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

/** `SQLITE_BUSY`. */
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
