import { randomBytes } from 'node:crypto';
import { constants, fstatSync, writeSync } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StoreError } from './store.ts';

/** An open file. Callers pass positions, so that a write after a truncation lands at the right offset. */
export interface OpenFile {
  /** Reads up to `bytes.length` bytes. Returns the number of bytes read, which is 0 at the end of the file. */
  read(bytes: Uint8Array, position: number): Promise<number>;
  /** Writes all or part of `bytes`. Returns the number of bytes written. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** Like `write`, but synchronous. For a few bytes, a synchronous write is faster than waiting for another thread. */
  writeNow(bytes: Uint8Array, position: number): number;
  truncate(length: number): Promise<void>;
  /** Returns whether the file still has a name. Data written to a removed file is lost. */
  isLinked(): boolean;
  /** Resolves when the content is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The file system operations that the store uses. Tests substitute failing ones. */
export interface Files {
  /** Creates the folder for the owner only, if it is missing. */
  makeDir(path: string): Promise<void>;
  /** Returns the names in the folder. */
  list(path: string): Promise<string[]>;
  /** Returns the content, or undefined if there is no such file. */
  read(path: string): Promise<Buffer | undefined>;
  /** Opens an existing file for reading. Returns undefined if there is none. */
  openToRead(path: string): Promise<OpenFile | undefined>;
  /**
   * Creates an empty file for reading and writing, for the owner only. Replaces any earlier file. Rejects if the path
   * is a symbolic link.
   */
  create(path: string): Promise<OpenFile>;
  /** Opens an existing file for reading and writing. */
  open(path: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Resolves when the entries of the folder are on the disk. */
  syncDir(path: string): Promise<void>;
}

/** Returns the error code of a failed system call, or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Writes all of `bytes`, even if the system accepts only a part per call. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const written = await file.write(bytes.subarray(done), position + done);
    if (written <= 0) throw new Error('The system wrote nothing');
    done += written;
  }
}

/** Writes a file in place of any earlier one. Resolves when its content is on the disk. */
export async function writeNew(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  const file = await files.create(path);
  try {
    await writeAll(file, bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Like `writeAll`, but synchronous. */
export function writeAllNow(file: OpenFile, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const written = file.writeNow(bytes.subarray(done), position + done);
    if (written <= 0) throw new Error('The system wrote nothing');
    done += written;
  }
}

/** The flags of `w+`, but without following a symbolic link, which an attacker may have planted. */
const created = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/** Opens a regular file. Refuses anything else without waiting, because opening a pipe would wait for its other end. */
async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | (constants.O_NONBLOCK ?? 0), 0o600);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new StoreError('unreadable', `${path} is not a regular file: remove it, or restore it from a backup`);
}

async function readAll(path: string): Promise<Buffer> {
  const handle = await openRegular(path, constants.O_RDONLY);
  return handle.readFile().finally(() => handle.close());
}

async function openFile(path: string, flags: number): Promise<OpenFile> {
  const handle = await openRegular(path, flags);
  return {
    read: async (bytes, position) => (await handle.read(bytes, 0, bytes.length, position)).bytesRead,
    write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
    writeNow: (bytes, position) => writeSync(handle.fd, bytes, 0, bytes.length, position),
    truncate: (length) => handle.truncate(length),
    isLinked: () => fstatSync(handle.fd).nlink > 0,
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** Creates one folder at a time. If a folder cannot be created, as in /proc, the recursive mode of `mkdir` never ends. */
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
  // The new entry is in the parent folder.
  await syncDir(dirname(path));
}

async function syncDir(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network and FUSE file systems cannot sync a folder, so there is nothing to wait for.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

/** Returns the result of `get`, or undefined if there is no such file. */
export async function unlessMissing<R>(get: Promise<R>): Promise<R | undefined> {
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
  read: (path) => unlessMissing(readAll(path)),
  openToRead: (path) => unlessMissing(openFile(path, constants.O_RDONLY)),
  create: (path) => openFile(path, created),
  open: (path) => openFile(path, constants.O_RDWR),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDir,
};

/** Paths of a process's open streams. Writes must follow these links. */
const streams = /^\/(dev\/(stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Writes a file that appears under its name only when it is complete. It replaces a symbolic link instead of writing
 * through it, because others can plant one in a folder such as /tmp. Devices, pipes and standard output are written
 * directly. Rejects with the system's error.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const earlier = await lstat(path).catch(() => undefined);
  const isReplaced = earlier === undefined || earlier.isFile() || earlier.isSymbolicLink();
  if (!isReplaced || streams.test(path)) return writeFile(path, content);
  const draft = draftOf(path);
  try {
    await writeFile(draft, content, { flag: 'wx', mode: earlier?.isFile() ? earlier.mode & 0o777 : 0o666 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Returns a temporary name next to a file, for its replacement. The name cannot be guessed, so no link can be planted there. */
export function draftOf(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

/**
 * Reads a file, after creating it with mode 0600 if it is missing. Resolves when the file and its folder are on the
 * disk. Concurrent calls, even by two processes, return the same bytes.
 */
export async function createOnce(folder: string, name: string, content: () => string, files: Files): Promise<Buffer> {
  const file = join(folder, name);
  await files.makeDir(resolve(folder));
  if ((await files.read(file)) === undefined) await write(folder, name, Buffer.from(content()), files);
  // Also needed if an earlier call created the file, because that call may have been interrupted before this step.
  await files.syncDir(folder);
  const bytes = await files.read(file);
  if (bytes === undefined) throw new Error(`${file} is gone`);
  return Buffer.from(bytes);
}

/** Writes the complete file under another name first, so that no reader ever finds a partial one. */
async function write(folder: string, name: string, bytes: Buffer, files: Files): Promise<void> {
  const draft = join(folder, `${name}.${randomBytes(6).toString('hex')}`);
  await writeNew(files, draft, bytes);
  await link(draft, join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
}
