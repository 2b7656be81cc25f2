import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { documentName, temporaryName } from './document-draft.ts';
import type { Files } from './files.ts';
import { earlierVersionError } from './lines.ts';
import { isLockFile } from './lock.ts';
import { readLog } from './read-wal.ts';
import { Sealer } from './seal.ts';
import { StoreError } from './store.ts';
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
  readonly key: Uint8Array | undefined;
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

async function isUnusedLog({ dir, files, key }: Folder, name: string): Promise<boolean> {
  if (name !== logName) return false;
  let entries = 0;
  try {
    const folder = { dir, files, sealer: new Sealer(key), warn: () => {} };
    const scan = await readLog(folder, 0, () => {
      entries += 1;
    });
    return entries === 0 && scan?.isTorn === false;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}
