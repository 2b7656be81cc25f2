/** Wraps the file system with a hook before each call. The hook can fail, delay or shorten the call. */
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files, OpenFile } from '../../sandbox/store/files.ts';

/** A file system call. */
export interface Call {
  readonly name: keyof Files | keyof OpenFile;
  readonly path: string;
  /** The number of this call, counting from 1. */
  readonly number: number;
}

/** Creates a system error like Node's. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** A hook's return value that limits a write to the first half of its bytes. */
export const half = Symbol('half of a write');

/**
 * Wraps `files` with a hook before each call. The hook can throw to fail the call, return a promise to delay it, or return `half` to
 * shorten a write. It cannot delay a synchronous write.
 */
export function withFaults(files: Files, before: (call: Call) => unknown): Files {
  let number = 0;
  const guard = async (name: Call['name'], path: string): Promise<unknown> => {
    number += 1;
    return before({ name, path, number });
  };
  const wrap = (path: string, file: OpenFile): OpenFile => ({
    read: (bytes, position) => guard('read', path).then(() => file.read(bytes, position)),
    write: async (bytes, position) => {
      const result = await guard('write', path);
      return file.write(result === half ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes, position);
    },
    // The hook also sees this `write`, but cannot delay it because it is synchronous.
    writeNow: (bytes, position) => {
      number += 1;
      const result = before({ name: 'write', path, number });
      return file.writeNow(result === half ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes, position);
    },
    truncate: (length) => guard('truncate', path).then(() => file.truncate(length)),
    isLinked: () => file.isLinked(),
    sync: () => guard('sync', path).then(() => file.sync()),
    // Never fails, so that a simulated crash leaves no descriptor open.
    close: () => file.close(),
  });
  return {
    makeDir: (path) => guard('makeDir', path).then(() => files.makeDir(path)),
    list: (path) => guard('list', path).then(() => files.list(path)),
    read: (path) => guard('read', path).then(() => files.read(path)),
    openToRead: async (path) => {
      await guard('openToRead', path);
      const file = await files.openToRead(path);
      return file && wrap(path, file);
    },
    create: async (path) => guard('create', path).then(async () => wrap(path, await files.create(path))),
    open: async (path) => guard('open', path).then(async () => wrap(path, await files.open(path))),
    rename: (from, to) => guard('rename', from).then(() => files.rename(from, to)),
    remove: (path) => guard('remove', path).then(() => files.remove(path)),
    syncDir: (path) => guard('syncDir', path).then(() => files.syncDir(path)),
  };
}

/** Returns the files in a folder that this process has open. */
export async function filesOpenIn(dir: string): Promise<string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(join('/proc/self/fd', fd)).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(dir));
}
