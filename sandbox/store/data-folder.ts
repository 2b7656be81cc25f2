import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDocument } from './document.ts';
import { type DocumentPlace, documentName, temporaryName } from './document-draft.ts';
import { damagedError, earlierVersionError } from './encoding.ts';
import { type Files, systemCode } from './files.ts';
import { isLockFile } from './lock.ts';
import { readDocument } from './read-document.ts';
import { readLog } from './read-wal.ts';
import { StoreError } from './store.ts';
import type { StoreSealer } from './store-sealer.ts';
import type { Slice, Slices } from './view.ts';
import { logName } from './wal.ts';

/** Files that count for nothing under these names. */
export const temporaryNames = [documentName, logName].map(temporaryName);

/** Files that earlier versions wrote. */
const earlier = /^(?:db-\d+\.json|journal-[\d-]+\.log|segment-[\d-]+\.rows|lock-\d+)$/;

/** Throws where a folder is one of an earlier version, which this one does not read. */
export function refuseEarlier(dir: string, names: readonly string[]): void {
  if (names.some((name) => earlier.test(name))) throw earlierVersionError(dir);
}

/** A folder, and what its files are read with. */
interface Folder {
  readonly dir: string;
  readonly files: Files;
  readonly sealer: StoreSealer;
}

/** Whether a folder with these files holds a store, whole or damaged, of whatever version, that ever acknowledged anything. */
export async function holdsStore(folder: Folder, names: readonly string[]): Promise<boolean> {
  if (names.some((name) => name === documentName || earlier.test(name))) return true;
  return names.includes(logName) && !(await isUnusedLog(folder, logName));
}

/**
 * Whether a folder holds nothing that a store ever acknowledged: locks, temporary files, a log without an entry, and
 * folders of the same kind. A kill leaves such a folder of a store that was only begun.
 */
export async function isVacant(folder: Folder): Promise<boolean> {
  for (const entry of await readdir(folder.dir, { withFileTypes: true })) {
    const { name } = entry;
    const isNothing = entry.isDirectory()
      ? await isVacant({ ...folder, dir: join(folder.dir, name) })
      : entry.isFile() && (isLockFile(name) || temporaryNames.includes(name) || (await isUnusedLog(folder, name)));
    if (!isNothing) return false;
  }
  return true;
}

async function isUnusedLog(folder: Folder, name: string): Promise<boolean> {
  if (name !== logName) return false;
  let entries = 0;
  try {
    const scan = await readLog({ ...folder, warn: () => {} }, 0, () => {
      entries += 1;
    });
    return entries === 0 && scan?.isTorn === false;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/** A copy of what a store holds: its document alone, in a folder of its own. */
export class CopyFile {
  readonly #dir: string;
  readonly #place: DocumentPlace;

  constructor(dir: string, files: Files, sealer: StoreSealer) {
    this.#dir = dir;
    this.#place = { files, path: join(dir, documentName), sealer };
  }

  /** Writes it, and resolves when it is on the disk. Rejects with `refused` where the disk does not take it. */
  async write(slices: Slices): Promise<void> {
    try {
      await this.#place.files.makeDir(this.#dir);
      await writeDocument(this.#place, slices, 0);
    } catch (error) {
      throw asStoreError('refused', `Cannot write ${this.#place.path}`, error);
    }
  }

  /** Reads it. Rejects with `damaged`, or with `unreadable` where the disk does not give it. */
  async *read(): AsyncGenerator<Slice, void, void> {
    try {
      const end = yield* readDocument(this.#place);
      if (end === undefined) throw damagedError(this.#place.path, 'it is missing');
    } catch (error) {
      throw asStoreError('unreadable', `Cannot read ${this.#place.path}`, error);
    }
  }
}

function asStoreError(code: 'refused' | 'unreadable', message: string, cause: unknown): unknown {
  if (cause instanceof StoreError || systemCode(cause) === undefined) return cause;
  return new StoreError(code, `${message}: ${String(cause)}`, { cause });
}
