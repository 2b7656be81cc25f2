import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Low } from 'lowdb';
import type { ByteBudget } from './byte-budget.ts';
import { CheckpointingLog } from './checkpointing-log.ts';
import type { CommitObserver } from './commit-log.ts';
import { type Content, DocumentAdapter, readDocument, writeDocument } from './document.ts';
import { type DocumentPlace, documentName, temporaryName } from './document-draft.ts';
import { damagedError } from './encoding.ts';
import { diskFiles, type Files, systemCode } from './files.ts';
import { isLockFile, type Lock, lockFolder } from './lock.ts';
import { earlierVersionError, Sealer, StoreSealer } from './seal.ts';
import { type Store, StoreError, type StoreSchema } from './store.ts';
import { Transactor } from './transactor.ts';
import type { Slice, Slices } from './view.ts';
import { type DataFolder, logName, readLog, resumeLog, WriteAheadLog } from './wal.ts';
import { WorkingSet } from './working-set.ts';

/** How a durable store is opened. */
export interface LowdbOptions<Collections> {
  /** The folder, made where it is missing. One process at a time may have it open. */
  readonly dir: string;
  readonly schema: StoreSchema<Collections>;
  /** Encrypts its files; without it, they stay plain. The choice is made when the folder is created. */
  readonly sealer?: StoreSealer | undefined;
  /** Receives warnings for the operator that do not stop the store. */
  readonly warn: (message: string) => void;
  /** A checkpoint is due when the log is larger than this, and larger than the document. */
  readonly checkpointAfterBytes?: number | undefined;
  /** With more bytes, no checkpoint is written while it closes: a busy machine takes about five seconds for the default. */
  readonly mostBytesAtClose?: number | undefined;
  /** Counts its bytes; as many as there is room for where nothing is said. Everything is uncounted where it cannot be opened. */
  readonly budget?: ByteBudget | undefined;
  /** Measures what is written. */
  readonly observer?: CommitObserver | undefined;
  /** The file system; another one in tests. */
  readonly fs?: Files;
}

const defaultCheckpointAfterBytes = 4 * 1024 * 1024;
const defaultBytesAtClose = 96 * 1024 * 1024;

/**
 * Opens the durable store in `dir`: every record is in memory and in a lowdb document (`db.json`), and each change is in
 * the write-ahead log next to it (`wal.log`) before it is acknowledged.
 */
export async function openLowdbStore<Collections>(options: LowdbOptions<Collections>): Promise<Store<Collections>> {
  const { warn, fs: files = diskFiles, sealer = new StoreSealer(new Sealer(undefined)) } = options;
  const dir = resolve(options.dir);
  let lock: Lock | undefined;
  try {
    await files.makeDir(dir);
    lock = await lockFolder(dir);
    return await openLocked({ dir, files, sealer, warn }, lock, options);
  } catch (error) {
    options.budget?.release();
    await lock?.release();
    // Nothing was accepted yet that could be given up.
    const cause = error instanceof StoreError && error.code === 'gave_up' ? error.cause : error;
    if (cause instanceof StoreError || systemCode(cause) === undefined) throw cause;
    throw new StoreError('unreadable', `Cannot use ${dir} as data folder: ${String(cause)}`, { cause });
  }
}

async function openLocked<Collections>(
  folder: DataFolder,
  lock: Lock,
  options: LowdbOptions<Collections>,
): Promise<Store<Collections>> {
  const { files, dir, sealer, warn } = folder;
  const { schema, budget, checkpointAfterBytes = defaultCheckpointAfterBytes } = options;
  const { mostBytesAtClose = defaultBytesAtClose } = options;
  refuseEarlier(dir, await files.list(dir));
  const empty = () => new WorkingSet(schema, budget);
  const document = new DocumentAdapter({ files, sealer, path: join(dir, documentName) }, empty);
  const low = new Low<Content<Collections>>(document, { sequence: 0, working: empty() });
  await low.read();
  const log = await recoverLog(folder, low.data);
  const parts = { folder, low, document, log, lock, checkpointAfterBytes, mostBytesAtClose };
  return new Transactor(low.data.working, new CheckpointingLog(parts), warn, options.observer);
}

/**
 * Replays the log over what the document holds, and returns it, ready for more. Everything is read and checked before the
 * first byte is changed.
 */
async function recoverLog<Collections>(
  folder: DataFolder,
  { sequence, working }: Content<Collections>,
): Promise<WriteAheadLog> {
  const { dir, files } = folder;
  const scan = await readLog(folder, sequence, (number, batch) => {
    if (number > sequence) for (const changes of batch) working.restore(changes);
  });
  const path = join(dir, logName);
  if (scan === undefined && sequence > 0) throw damagedError(path, 'it is missing');
  if (scan !== undefined && scan.end.sequence < sequence) throw damagedError(path, 'it is older than the document');
  // A killed process may have renamed without syncing: what is built on these names relies on them after a power cut.
  await files.syncDir(dir);
  for (const name of temporaryNames) await files.remove(join(dir, name));
  return scan === undefined ? WriteAheadLog.create(folder, sequence) : resumeLog(folder, scan);
}

/** Files that count for nothing under these names. */
const temporaryNames = [documentName, logName].map(temporaryName);

/** Files that earlier versions wrote. */
const earlier = /^(?:db-\d+\.json|journal-[\d-]+\.log|segment-[\d-]+\.rows|lock-\d+)$/;

/** Throws if a folder is one of an earlier version, which this one does not read. */
function refuseEarlier(dir: string, names: readonly string[]): void {
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
