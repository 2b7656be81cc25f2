import { join, resolve } from 'node:path';
import { Low } from 'lowdb';
import type { CommitObserver } from './commit-observer.ts';
import { type Content, DocumentFile, NOTHING_FOLDED } from './document.ts';
import { diskFiles, type Files, systemCode } from './files.ts';
import { FoldingLog } from './folding.ts';
import { documentName, newestGeneration } from './generation.ts';
import type { Lock } from './held-lock.ts';
import type { Journal } from './journal.ts';
import { lockFolder } from './lock.ts';
import { type DataFolder, readJournals, recover } from './recovery.ts';
import { Sealer } from './seal.ts';
import { type BooksSpec, type Store, StoreError } from './store.ts';
import { readAsOne, takeOver } from './takeover.ts';
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
  /** Most batches that can be written while other content is prepared: its numbers begin beyond theirs. */
  readonly mostMeanwhile?: number;
  /** The most bytes that it may hold, see `Store.transact`; as many as there is room for where nothing is said. */
  readonly maxBytes?: number | undefined;
  /** Is told of what is written. */
  readonly observer?: CommitObserver | undefined;
  /** The file system; another one in tests. */
  readonly fs?: Files;
  /** How the folder is locked; another way in tests. */
  readonly lock?: typeof lockFolder;
}

const FOLD_AFTER_BYTES = 4 * 1024 * 1024;
const MOST_MEANWHILE = 1_000_000;

/**
 * Opens the durable store in `dir`: a lowdb document (`db.json`), and beside it a journal to which each change is
 * appended and synced before it is acknowledged.
 */
export async function openLowdbStore<Books>(options: LowdbOptions<Books>): Promise<Store<Books>> {
  const { warn, fs: files = diskFiles } = options;
  const dir = resolve(options.dir);
  let lock: Lock | undefined;
  try {
    // Before anything is made: a key that cannot be is no reason to make a folder.
    const sealer = new Sealer(options.key);
    await files.makeDir(dir);
    const newest = async () => newestGeneration(await files.list(dir));
    lock = await (options.lock ?? lockFolder)(dir, { newest, warn });
    return await openLocked({ dir, files, sealer, warn, generation: await newest() }, lock, options);
  } catch (error) {
    await lock?.release();
    if (lock?.lost) throw new StoreError('locked', lock.lost.message, { cause: error });
    if (error instanceof StoreError || systemCode(error) === undefined) throw error;
    throw new StoreError('unreadable', `${dir} cannot be used as data folder: ${String(error)}`, { cause: error });
  }
}

/** Opens the generation that the folder has; where its last holder may still write to it, the next one. */
async function openLocked<Books>(found: DataFolder, lock: Lock, options: LowdbOptions<Books>): Promise<Store<Books>> {
  const { spec, warn, maxBytes, foldAfterBytes = FOLD_AFTER_BYTES, mostMeanwhile = MOST_MEANWHILE } = options;
  const place = lock.doubtful ? { ...found, generation: lock.term } : found;
  const { low, document } = documentOf(place);
  const empty = () => new WorkingSet(spec, { hasHistory: true, maxBytes });
  const held = lock.doubtful ? await readAsOne(found, empty, () => contentOf(found)) : undefined;
  const working = held?.working ?? empty();
  const journal = await openJournal().catch(async (error) => {
    await working.history.close();
    throw error;
  });
  const log = new FoldingLog({ place, working, low, journal, lock, foldAfterBytes, mostMeanwhile, document });
  return new Transactor(working, log, warn, { observer: options.observer });

  async function openJournal(): Promise<Journal> {
    if (held) return takeOver({ lock, held, place, low });
    const journals = await readJournals(place);
    await low.read();
    return recover(place, journals, low.data, working);
  }
}

function documentOf({ files, dir, generation, sealer }: DataFolder) {
  const document = new DocumentFile(files, join(dir, documentName(generation)), sealer);
  return { document, low: new Low(document, NOTHING_FOLDED) };
}

async function contentOf(place: DataFolder): Promise<Content> {
  const { low } = documentOf(place);
  await low.read();
  return low.data;
}
