import type { Dirent } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CallFile, callFileNames } from '../activity-log/call-file.ts';
import { type CallLog, forgetfulCallLog } from '../activity-log/call-log.ts';
import { logNumber } from '../activity-log/stored-log.ts';
import { type WorkspaceCollections, workspaceSchema } from '../assembly/collections.ts';
import type { WorkspacesMeasured } from '../runtime/observer.ts';
import { ByteBudget } from '../store/byte-budget.ts';
import type { CommitObserver } from '../store/commit-log.ts';
import { documentName } from '../store/document-draft.ts';
import { damagedError } from '../store/encoding.ts';
import { diskFiles, type Files, unlessMissing } from '../store/files.ts';
import { holdsStore, isVacant, openLowdbStore, readCopy, writeCopy } from '../store/lowdb.ts';
import { openMemoryStore } from '../store/memory.ts';
import { type Slice, type Slices, weighRecord, yieldToEventLoop } from '../store/row.ts';
import { Sealer, StoreSealer } from '../store/seal.ts';
import { type Store, StoreError } from '../store/store.ts';
import { logName } from '../store/wal.ts';

/** The location of a store: its names from the outermost to the innermost. The location of the demo workspace is empty. */
export type StoragePlace = readonly string[];

/** The name below which all workspaces except the demo workspace are stored. */
export const below = 'workspaces';

/** The storage of workspaces. It opens their stores, and saves copies of their content. */
export interface Storage {
  /** Opens a store. Rejects with `StoreError` if the existing data cannot be opened. */
  open(place: StoragePlace): Promise<Store<WorkspaceCollections>>;
  /** Opens the log that saves the calls and the quota of an open store. */
  openCalls(place: StoragePlace, store: Store<WorkspaceCollections>): Promise<CallLog>;
  /** Writes a copy of a store's content, in place of any content at that location. If this fails, nothing remains there. */
  write(place: StoragePlace, content: Slices): Promise<void>;
  /** Returns the content of a copy. Reading rejects with `StoreError`: with `damaged` if the copy is missing or was changed. */
  read(place: StoragePlace): Slices;
  /**
   * Returns the size of the files of a store or copy, in bytes. Its share of the budget is at most this size. Returns 0
   * if the size is unknown before reading.
   */
  sizeOf(place: StoragePlace): Promise<number>;
  /** Returns whether there is a store, intact or damaged. */
  has(place: StoragePlace): Promise<boolean>;
  /** Returns whether a listed location never contained stored data. A crash while a store is created leaves such a location. */
  isVacant(place: StoragePlace): Promise<boolean>;
  /** Returns the names directly below a location. Each is a store, or contains stores. */
  list(place: StoragePlace): Promise<readonly string[]>;
  /**
   * Removes a closed store, or a copy, with everything below it. After a crash, it is complete or absent once the
   * outermost store is opened again.
   */
  remove(place: StoragePlace): Promise<void>;
  /**
   * Returns the time, in milliseconds since 1970, on the clock that all processes with access to the stores follow. The
   * method is absent if they follow the machine's clock.
   */
  readonly time?: () => number;
  readonly measured?: () => Pick<WorkspacesMeasured, 'lease' | 'clockSkew'>;
  /** Closes shared resources. Call this method after all stores are closed. */
  close(): Promise<void>;
}

/** The options of stores on disk. */
interface Disk {
  /** The encryption key, 32 bytes long (OP-33); undefined if data is stored in plain text. */
  readonly key?: Uint8Array | undefined;
  readonly files?: Files | undefined;
  /** The log size after which a checkpoint is due, in bytes. By default, the store decides. */
  readonly checkpointAfterBytes?: number | undefined;
  readonly warn: (message: string) => void;
  /** Creates the budget of a store that is opened, or of a copy in memory. A copy has no limit of its own. */
  readonly newBudget?: ((maxBytes?: number) => ByteBudget) | undefined;
  /** Observes writes, for metrics. */
  readonly observer?: CommitObserver | undefined;
}

/** Returns storage for the stores of one process, in a folder or, if there is none, in memory. */
export function localStorage({ dataDir, ...disk }: Disk & { readonly dataDir?: string | undefined }): Storage {
  return dataDir === undefined ? memoryStorage(disk.warn, disk) : diskStorage(dataDir, disk);
}

/** Returns storage with each store in a folder below `dir`. */
export function diskStorage(dir: string, { files = diskFiles, key, newBudget, ...disk }: Disk): Storage {
  const sealer = new Sealer(key);
  /** The sealers of stores that are open or being imported. */
  const sealers = new Map<string, StoreSealer>();
  const newSealer = (place: StoragePlace) => new StoreSealer(sealer, nameOf(place));
  const sealerOf = (place: StoragePlace) => {
    const found = sealers.get(nameOf(place)) ?? newSealer(place);
    sealers.set(nameOf(place), found);
    return found;
  };
  const folder = (place: StoragePlace) => join(dir, ...place.map(refusePath));
  const copy = (place: StoragePlace) => {
    const sealer = sealerOf(ownerOf(place)).at(nameOf(place));
    return { files, path: join(folder(place), documentName), sealer };
  };
  const removed = (place: StoragePlace) => join(dir, `${removedPrefix}${place.join('-')}`);
  const remove = async (place: StoragePlace) => {
    // If the folder is on another disk, or an interrupted removal left the new name, it is removed in place.
    await rename(folder(place), removed(place)).catch(() => {});
    for (const path of [removed(place), folder(place)]) await rm(path, { recursive: true, force: true });
    sealers.delete(nameOf(place));
  };
  /** Completes removals that a crash interrupted. */
  const endRemovals = async () => {
    const names = (await entriesOf(dir)).map(({ name }) => name).filter((name) => name.startsWith(removedPrefix));
    for (const name of names) await rm(join(dir, name), { recursive: true, force: true });
  };
  /** Returns whether a folder with these files contains a store. */
  const holds = (place: StoragePlace, entries: readonly Dirent[]) => {
    const names = entries.map(({ name }) => name);
    return holdsStore({ dir: folder(place), files, sealer: newSealer(place) }, names);
  };
  const refuseOddFiles = async (place: StoragePlace) => {
    const entries = await entriesOf(folder(place));
    const calls = entries.filter(({ name }) => callNames.includes(name));
    for (const entry of calls) {
      const path = join(folder(place), entry.name);
      if (!entry.isFile() && !entry.isSymbolicLink())
        throw new StoreError('unreadable', `${path} is not a regular file: remove it`);
    }
    const [first] = calls;
    if (first === undefined || (await holds(place, entries))) return;
    throw damagedError(folder(place), `${documentName} and ${logName} are missing next to ${first.name}`);
  };
  return {
    async write(place, content) {
      await remove(place);
      try {
        await writeCopy(copy(place), content);
      } catch (error) {
        await remove(place);
        throw error;
      }
    },
    read: (place) => readCopy(copy(place)),
    remove,
    async open(place) {
      await refuseOddFiles(place);
      const isKnown = sealers.has(nameOf(place));
      const budget = newBudget?.();
      const options = {
        dir: folder(place),
        schema: workspaceSchema,
        fs: files,
        sealer: sealerOf(place),
        budget,
        ...disk,
      };
      const store = await openLowdbStore(options).catch((error) => {
        // The sealer may have read the id of another store.
        if (!isKnown) sealers.delete(nameOf(place));
        throw error;
      });
      // The lock of the outermost store covers the whole folder.
      if (place.length === 0) await endRemovals().catch((error) => disk.warn(`${dir}: ${error.message}`));
      return store;
    },
    openCalls: (place, store) => {
      const log = () => logNumber(store);
      return CallFile.open({ dir: folder(place), files, sealer: sealerOf(place), warn: disk.warn, log });
    },
    isVacant: (place) => isVacant({ dir: folder(place), files, sealer: newSealer(place) }),
    async sizeOf(place) {
      const files = (await entriesOf(folder(place))).filter((entry) => entry.isFile());
      const sizes = await Promise.all(files.map(async ({ name }) => (await stat(join(folder(place), name))).size));
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    has: async (place) => holds(place, await entriesOf(folder(place))),
    list: async (place) => {
      const entries = await entriesOf(folder(place));
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    close: async () => {},
  };
}

const callNames: readonly string[] = Object.values(callFileNames);

/** Returns a name of a location. Throws if the name could lead out of the folder. */
function refusePath(name: string): string {
  if (!['', '.', '..'].includes(name) && !/[/\\\0]/.test(name)) return name;
  throw new StoreError('unreadable', `${JSON.stringify(name)} is not a name that a workspace or snapshot can have`);
}

/** Returns a location as a single name. */
function nameOf(place: StoragePlace): string {
  return place.join('/');
}

/** Returns the location of the store to which a copy belongs. */
function ownerOf(place: StoragePlace): StoragePlace {
  return place[0] === below ? place.slice(0, 2) : [];
}

/** The name prefix of folders that are being removed. */
const removedPrefix = '.removed-';

/** Returns the entries of a folder, or an empty list if there is no such folder. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
}

/** Returns storage that lasts as long as the process. A closed store can still be read. */
export function memoryStorage(
  warn: (message: string) => void,
  { observer, newBudget = (bytes) => new ByteBudget(bytes) }: Pick<Disk, 'observer' | 'newBudget'> = {},
): Storage {
  const stores = new Map<string, Store<WorkspaceCollections>>();
  const copies = new Map<string, { readonly slices: readonly Slice[]; readonly budget: ByteBudget }>();
  const pathOf = (place: StoragePlace) => place.map((name) => `${name}/`).join('');
  const pathsBelow = (place: StoragePlace) =>
    [...stores.keys(), ...copies.keys()].filter((path) => path.startsWith(pathOf(place)));
  return {
    async open(place) {
      const store =
        stores.get(pathOf(place)) ?? openMemoryStore(workspaceSchema, warn, { observer, budget: newBudget() });
      stores.set(pathOf(place), store);
      return store;
    },
    openCalls: async () => forgetfulCallLog,
    async write(place, content) {
      const slices: Slice[] = [];
      const budget = newBudget(Number.POSITIVE_INFINITY);
      try {
        for await (const slice of content) {
          budget.fill(weighRecord(slice, 'a copy'));
          slices.push(slice);
        }
      } catch (error) {
        budget.release();
        throw error;
      }
      copies.set(pathOf(place), { slices, budget });
    },
    async *read(place) {
      const copy = copies.get(pathOf(place));
      if (copy === undefined) throw damagedError(place.join('/'), 'it is missing');
      for (const slice of copy.slices) {
        yield slice;
        await yieldToEventLoop();
      }
    },
    sizeOf: async (place) => copies.get(pathOf(place))?.budget.used ?? 0,
    has: async (place) => stores.has(pathOf(place)),
    isVacant: async () => false,
    list: async (place) => {
      const names = pathsBelow(place).map((path) => path.split('/')[place.length] ?? '');
      return [...new Set(names)].filter((name) => name !== '');
    },
    async remove(place) {
      for (const path of pathsBelow(place)) {
        stores.delete(path);
        copies.get(path)?.budget.release();
        copies.delete(path);
      }
    },
    close: async () => {},
  };
}
