import { constants } from 'node:fs';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pid, platform } from 'node:process';
import { systemCode } from './files.ts';
import { StoreError } from './store.ts';

/** A folder that this store alone may write, until it is released or the process ends. */
export interface Lock {
  release(): Promise<void>;
}

/** `O_EXLOCK` of macOS and the BSDs, which Node does not name. */
const EXCLUSIVE = 0x20;

/**
 * Locks the folder, or throws `locked`. The lock itself is one that the kernel keeps and drops when the process ends,
 * however it ends: there is no stale lock to judge, so no pid that was given to another process and no race to take over.
 * The file `lock` only tells people who has it.
 */
export async function lockFolder(dir: string): Promise<Lock> {
  const note = join(dir, 'lock');
  const lock = platform === 'linux' ? await holdName(dir) : await holdFile(note);
  if (!lock) throw new StoreError('locked', `${dir} is in use by process ${await holderOf(note)}: stop it first`);
  try {
    await writeFile(note, `${pid}\n`, { mode: 0o600 });
  } catch (error) {
    await lock.release();
    throw error;
  }
  return lock;
}

async function holderOf(note: string): Promise<string> {
  try {
    return (await readFile(note, 'utf8')).trim() || 'unknown';
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'unknown';
    throw error;
  }
}

/**
 * Linux: listens on an abstract socket, a name that no file system knows and that one process can have. The name is made
 * of device and inode, so that no second path to the folder gets around it.
 */
async function holdName(dir: string): Promise<Lock | undefined> {
  const { dev, ino } = await stat(dir, { bigint: true });
  const server = createServer((visitor) => visitor.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<Lock | undefined>();
  server.once('error', (error) => (systemCode(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
  // Exclusive: otherwise the workers of a cluster would share the socket.
  server.listen({ path: `\0rewards-sandbox store ${dev} ${ino}`, exclusive: true }, () => {
    server.unref();
    resolve({ release: () => new Promise((done) => server.close(() => done())) });
  });
  return promise;
}

/** Elsewhere: opens a file with the lock of flock(2). */
async function holdFile(note: string): Promise<Lock | undefined> {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | EXCLUSIVE;
    const handle = await open(note, flags, 0o600);
    return { release: () => handle.close() };
  } catch (error) {
    if (systemCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}
