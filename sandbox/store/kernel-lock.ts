import { constants } from 'node:fs';
import { open, readFile, readlink, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { systemCode } from './files.ts';

/**
 * A lock that the kernel keeps and drops when the process ends, however it ends: whoever gets it knows that an earlier
 * holder of the same reach is dead.
 */
export interface KernelLock {
  /** Names everybody who would have to ask the same kernel for the same lock. */
  readonly reach: string;
  release(): Promise<void>;
}

/** `O_EXLOCK` of macOS and the BSDs, which Node does not name. */
const EXCLUSIVE = 0x20;

/** Takes the kernel's lock of a folder; undefined where another process has it. */
export function holdKernelLock(dir: string): Promise<KernelLock | undefined> {
  return platform === 'linux' ? holdName(dir) : holdFile(dir);
}

/**
 * Linux: listens on an abstract socket, a name that no file system knows and that one process of a network namespace
 * can have. The name is made of device and inode, so that no second path to the folder gets around it.
 */
async function holdName(dir: string): Promise<KernelLock | undefined> {
  const { dev, ino } = await stat(dir, { bigint: true });
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  const reach = `${boot} ${await readlink('/proc/self/ns/net')} ${dev} ${ino}`;
  const server = createServer((visitor) => visitor.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<KernelLock | undefined>();
  server.once('error', (error) => (systemCode(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
  // Exclusive: otherwise the workers of a cluster would share the socket.
  server.listen({ path: `\0rewards-sandbox store ${dev} ${ino}`, exclusive: true }, () => {
    server.unref();
    resolve({ reach, release: () => new Promise((done) => server.close(() => done())) });
  });
  return promise;
}

/** Elsewhere: opens a file with the lock of flock(2). The file stays, since a lock on a removed file locks nothing. */
async function holdFile(dir: string): Promise<KernelLock | undefined> {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | EXCLUSIVE;
    const handle = await open(join(dir, 'lock'), flags, 0o600);
    const { dev, ino } = await handle.stat({ bigint: true });
    return { reach: `${hostname()} ${dev} ${ino}`, release: () => handle.close() };
  } catch (error) {
    if (systemCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}
