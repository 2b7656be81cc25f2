import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Low } from 'lowdb';
import type { ByteBudget } from './byte-budget.ts';
import { CheckpointingLog } from './checkpointing-log.ts';
import type { CommitObserver } from './commit-log.ts';
import { type Content, DocumentAdapter, readDocument, writeDocument } from './document.ts';
import { type DocumentPlace, documentName, temporaryName } from './document-draft.ts';
import { damagedError } from './encoding.ts';
import { diskFiles, type Files, systemCode } from './files.ts';
import { isLockFile, type Lock, lockFolder } from './lock.ts';
import type { Slice, Slices } from './row.ts';
import { earlierVersionError, Sealer, StoreSealer } from './seal.ts';
import { type Store, StoreError, type StoreSchema } from './store.ts';
import { Transactor } from './transactor.ts';
import { type DataFolder, logName, readLog, resumeLog, WriteAheadLog } from './wal.ts';
import { WorkingSet } from './working-set.ts';

/** The options of a durable store. */
export interface LowdbOptions<Collections> {
  /** The folder, created if it is missing. Only one process at a time may have it open. */
  readonly dir: string;
  readonly schema: StoreSchema<Collections>;
  /** Encrypts the files. Without a sealer, they remain unencrypted. The choice is made when the folder is created. */
  readonly sealer?: StoreSealer | undefined;
  /** Receives warnings for the operator that do not stop the store. */
  readonly warn: (message: string) => void;
  /** A checkpoint is due when the log is larger than this and larger than the document. */
  readonly checkpointAfterBytes?: number | undefined;
  /**
   * Maximum total size of document and log for which closing writes a checkpoint. Writing the default size takes about
   * five seconds on a busy machine.
   */
  readonly mostBytesAtClose?: number | undefined;
  /** Counts the bytes of the store. By default, there is no limit. If the store cannot be opened, its bytes are released. */
  readonly budget?: ByteBudget | undefined;
  /** Observes writes, for metrics. */
  readonly observer?: CommitObserver | undefined;
  /** The file system. Tests pass another one. */
  readonly fs?: Files;
}

const defaultCheckpointAfterBytes = 4 * 1024 * 1024;
const defaultBytesAtClose = 96 * 1024 * 1024;

/**
 * Opens the durable store in `dir`. Every record is in memory and in a lowdb document (`db.json`). Each change is in
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
    // No change was accepted yet, so report the cause instead of `gave_up`.
    const cause = error instanceof StoreError && error.code === 'gave_up' ? error.cause : error;
    if (cause instanceof StoreError || systemCode(cause) === undefined) throw cause;
    throw new StoreError('unreadable', `Cannot use ${dir} as data folder: ${String(cause)}`, { cause });
  }
}

async function openLocked<Collections>(folder: DataFolder, lock: Lock, options: LowdbOptions<Collections>) {
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
 * Replays the log on top of the document. Returns the log, ready for appending. Everything is read and checked before
 * the first byte is changed.
 */
async function recoverLog<Collections>(folder: DataFolder, { sequence, working }: Content<Collections>) {
  const { dir, files } = folder;
  const scan = await readLog(folder, sequence, (number, batch) => {
    if (number > sequence) for (const changes of batch) working.restore(changes);
  });
  const path = join(dir, logName);
  if (scan === undefined && sequence > 0) throw damagedError(path, 'it is missing');
  if (scan !== undefined && scan.end.sequence < sequence) throw damagedError(path, 'it is older than the document');
  // A killed process may have renamed a file without syncing. Later writes rely on these names, which must survive a power cut.
  await files.syncDir(dir);
  for (const name of temporaryNames) await files.remove(join(dir, name));
  return scan === undefined ? WriteAheadLog.create(folder, sequence) : resumeLog(folder, scan);
}

/** Names of temporary files, which never contain acknowledged data. */
const temporaryNames = [documentName, logName].map(temporaryName);

/** Names of files that earlier versions wrote. */
const earlier = /^(?:db-\d+\.json|journal-[\d-]+\.log|segment-[\d-]+\.rows|lock-\d+)$/;

/** Throws if an earlier version wrote the folder, because this version cannot read it. */
function refuseEarlier(dir: string, names: readonly string[]): void {
  if (names.some((name) => earlier.test(name))) throw earlierVersionError(dir);
}

/** A folder, with the file system and the sealer that read its files. */
type Folder = Omit<DataFolder, 'warn'>;

/**
 * Returns whether a folder with these files contains a store that ever acknowledged a change. The store may be damaged,
 * and of any version.
 */
export async function holdsStore(folder: Folder, names: readonly string[]): Promise<boolean> {
  if (names.some((name) => name === documentName || earlier.test(name))) return true;
  return names.includes(logName) && !(await isUnusedLog(folder, logName));
}

/**
 * Returns whether a folder contains no data that a store ever acknowledged. It may contain locks, temporary files, a
 * log without entries, and folders of the same kind. A process that is killed while creating a store leaves such a
 * folder.
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

/**
 * Writes a copy of a store: its document alone, in a separate folder. Resolves when it is on the disk. Rejects with
 * `refused` if the disk refuses it.
 */
export async function writeCopy(place: DocumentPlace, slices: Slices): Promise<void> {
  try {
    await place.files.makeDir(dirname(place.path));
    await writeDocument(place, slices, 0);
  } catch (error) {
    throw asStoreError('refused', `Cannot write ${place.path}`, error);
  }
}

/** Reads a copy. Rejects with `damaged`, or with `unreadable` if the disk cannot be read. */
export async function* readCopy(place: DocumentPlace): AsyncGenerator<Slice, void, void> {
  try {
    const end = yield* readDocument(place);
    if (end === undefined) throw damagedError(place.path, 'it is missing');
  } catch (error) {
    throw asStoreError('unreadable', `Cannot read ${place.path}`, error);
  }
}

function asStoreError(code: 'refused' | 'unreadable', message: string, cause: unknown): unknown {
  if (cause instanceof StoreError || systemCode(cause) === undefined) return cause;
  return new StoreError(code, `${message}: ${String(cause)}`, { cause });
}
