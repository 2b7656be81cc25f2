import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from './files.ts';
import { journalName } from './generation.ts';
import { scanJournal } from './journal.ts';
import { isLockFile } from './lock-file.ts';
import { Sealer } from './seal.ts';
import { StoreError } from './store.ts';

/** A folder, and what its files are read with. */
interface Folder {
  readonly dir: string;
  readonly files: Files;
  readonly key: Uint8Array | undefined;
}

/**
 * Whether a folder holds nothing that a store ever acknowledged: locks, temporary files, the first journal without a
 * line, and folders of the same kind. A kill leaves such a folder of a store that was only begun.
 */
export async function isVacant({ dir, files, key }: Folder): Promise<boolean> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const { name } = entry;
    const path = join(dir, name);
    const isNothing = entry.isDirectory()
      ? await isVacant({ dir: path, files, key })
      : entry.isFile() && (isLockFile(name) || isUnfinished(name) || (await isUnused({ dir, files, key }, name)));
    if (!isNothing) return false;
  }
  return true;
}

const firstJournal = journalName(0, 0);

/** Whether a file has not got its name yet: it counts only under that. */
function isUnfinished(name: string): boolean {
  return name === 'db.json.tmp' || name === `${firstJournal}.tmp`;
}

/** Whether this is the first journal, and nothing was appended to it. */
async function isUnused({ dir, files, key }: Folder, name: string): Promise<boolean> {
  if (name !== firstJournal) return false;
  const path = join(dir, name);
  try {
    const { batches, torn } = scanJournal((await files.read(path)) ?? Buffer.alloc(0), path, new Sealer(key));
    return batches.length === 0 && torn === undefined;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}
