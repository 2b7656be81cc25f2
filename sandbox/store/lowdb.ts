import { join, resolve } from 'node:path';
import { Low } from 'lowdb';
import { DocumentFile, NOTHING_FOLDED } from './document.ts';
import { diskFiles, type Files, systemCode } from './files.ts';
import { FoldingLedger } from './folding.ts';
import { journalPaths } from './journal.ts';
import { type Lock, lockFolder } from './lock.ts';
import { recover } from './recovery.ts';
import { Sealer } from './seal.ts';
import { type BooksSpec, type Store, StoreError } from './store.ts';
import { Transactor } from './transactor.ts';
import { WorkingSet } from './working-set.ts';

/** How a durable store is opened. */
export interface LowdbOptions<Books> {
  /** The folder, made where it is missing. One process at a time may have it open. */
  readonly dir: string;
  readonly spec: BooksSpec<Books>;
  /** 32 bytes, to encrypt with AES-256-GCM. A folder is encrypted from its first day or not at all. */
  readonly key?: Uint8Array | undefined;
  /** Is told what an operator should know although the store goes on. */
  readonly warn: (message: string) => void;
  /** The journal is folded into the document when it is larger than this, and larger than the document. */
  readonly foldAfterBytes?: number | undefined;
  /** The file system; another one in tests. */
  readonly fs?: Files;
}

const DOCUMENT = 'db.json';
const FOLD_AFTER_BYTES = 4 * 1024 * 1024;

/** Whether a folder with these files holds a store, whole or damaged. */
export function isStore(names: readonly string[]): boolean {
  return names.includes(DOCUMENT) || journalPaths('', names).length > 0;
}

/**
 * Opens the durable store in `dir`: a lowdb document (`db.json`), and beside it a journal to which each change is
 * appended and synced before it is acknowledged.
 */
export async function openLowdbStore<Books>(options: LowdbOptions<Books>): Promise<Store<Books>> {
  const { spec, key, warn, foldAfterBytes = FOLD_AFTER_BYTES, fs: files = diskFiles } = options;
  const dir = resolve(options.dir);
  let lock: Lock | undefined;
  try {
    const place = { dir, files, sealer: new Sealer(key), warn };
    await files.makeDir(dir);
    lock = await lockFolder(dir);
    const working = new WorkingSet(spec);
    const document = new DocumentFile(files, join(dir, DOCUMENT), place.sealer);
    const low = new Low(document, NOTHING_FOLDED);
    await low.read();
    const journal = await recover(place, low.data, working);
    const documentSize = (): number => document.size;
    const ledger = new FoldingLedger({ place, working, low, journal, lock, foldAfterBytes, documentSize });
    return new Transactor(working, ledger, warn);
  } catch (error) {
    await lock?.release();
    if (error instanceof StoreError || systemCode(error) === undefined) throw error;
    throw new StoreError('unreadable', `${dir} cannot be used as data folder: ${String(error)}`, { cause: error });
  }
}
