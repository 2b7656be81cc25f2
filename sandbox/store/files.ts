import { constants, writeSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** An open file. Callers pass positions, so that a write after a truncation lands where it should. */
export interface OpenFile {
  /** Reads what it can into `bytes` and tells how many bytes that was; 0 at the end. */
  read(bytes: Uint8Array, position: number): Promise<number>;
  /** Writes what it can and tells how many bytes that was. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** The same synchronously: handing a few bytes to the system takes less than waiting for another thread to do it. */
  writeNow(bytes: Uint8Array, position: number): number;
  truncate(length: number): Promise<void>;
  /** Resolves when the content is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The part of a file system that the store uses; tests put failing ones in its place. */
export interface Files {
  /** Makes the folder, for the owner only, where it is missing. */
  makeDir(path: string): Promise<void>;
  /** The names in the folder. */
  list(path: string): Promise<string[]>;
  /** The content, or undefined where there is no such file. */
  read(path: string): Promise<Buffer | undefined>;
  /** An existing file, for reading, or undefined where there is none. */
  openToRead(path: string): Promise<OpenFile | undefined>;
  /** An empty file for the owner only, in place of any earlier one, to be written and read. Rejects where a symbolic link is. */
  create(path: string): Promise<OpenFile>;
  /** An existing file, to be written and read. */
  open(path: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Resolves when the names in the folder are on the disk. */
  syncDir(path: string): Promise<void>;
}

/** The error code of a failed system call, or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Writes all of `bytes`, also when the system takes them in pieces. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const written = await file.write(bytes.subarray(done), position + done);
    if (written <= 0) throw new Error('The system wrote nothing');
    done += written;
  }
}

/** Like `writeAll`, synchronously. */
export function writeAllNow(file: OpenFile, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const written = file.writeNow(bytes.subarray(done), position + done);
    if (written <= 0) throw new Error('The system wrote nothing');
    done += written;
  }
}

/** Like `w+`, but never through a symbolic link, which somebody else may have planted. */
const created = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

async function openFile(path: string, flags: 'r+' | 'r' | typeof created): Promise<OpenFile> {
  const handle = await open(path, flags, 0o600);
  return {
    read: async (bytes, position) => (await handle.read(bytes, 0, bytes.length, position)).bytesRead,
    write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
    writeNow: (bytes, position) => writeSync(handle.fd, bytes, 0, bytes.length, position),
    truncate: (length) => handle.truncate(length),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** One folder after the other: where none can be made, as in /proc, the system's way to make all of them never ends. */
async function makeDir(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make().catch(async (error) => {
      if (systemCode(error) !== 'ENOENT') throw error;
      await makeDir(dirname(path));
      await make();
    });
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    throw error;
  }
  // It is a name in the one above it.
  await syncDir(dirname(path));
}

async function syncDir(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network and FUSE file systems cannot sync a folder; they have nothing to wait for.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

/** What `get` gives, or undefined where there is no such file. */
async function unlessMissing<R>(get: Promise<R>): Promise<R | undefined> {
  try {
    return await get;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file system of this machine. */
export const diskFiles: Files = {
  makeDir,
  list: (path) => readdir(path),
  read: (path) => unlessMissing(readFile(path)),
  openToRead: (path) => unlessMissing(openFile(path, 'r')),
  create: (path) => openFile(path, created),
  open: (path) => openFile(path, 'r+'),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDir,
};
