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
import { diskFiles, type Files, systemCode } from '../store/files.ts';
import { CopyFile, holdsStore, isVacant, openLowdbStore } from '../store/lowdb.ts';
import { openMemoryStore } from '../store/memory.ts';
import { weighRecord } from '../store/record.ts';
import { Sealer, StoreSealer } from '../store/seal.ts';
import { type Store, StoreError } from '../store/store.ts';
import { type Slice, type Slices, yieldToEventLoop } from '../store/view.ts';
import { logName } from '../store/wal.ts';

/** Where a store is: names from the outermost in; the demo workspace is at the empty place. */
export type StoragePlace = readonly string[];

/** Where workspaces other than the demo workspace are. */
export const below = 'workspaces';

/** Opens the store of each workspace, and stores copies of their content. */
export interface Storage {
  /** Rejects with `StoreError` when what is there cannot be opened. */
  open(place: StoragePlace): Promise<Store<WorkspaceCollections>>;
  /** Where calls and quota of a store are saved that is open. */
  openCalls(place: StoragePlace, store: Store<WorkspaceCollections>): Promise<CallLog>;
  /** Keeps a copy of what a store holds at a place, in place of what was there. Where that fails, nothing is there. */
  write(place: StoragePlace, content: Slices): Promise<void>;
  /** What a copy holds. Reading rejects with `StoreError`: `damaged` where it is not there as it was written. */
  read(place: StoragePlace): Slices;
  /**
   * How many bytes the files of a store or copy have, which is at least what it takes of its budget; 0 if that shows
   * only as it is read.
   */
  sizeOf(place: StoragePlace): Promise<number>;
  /** Whether there is a store, whole or damaged. */
  has(place: StoragePlace): Promise<boolean>;
  /** Whether nothing was ever stored at a place that is listed: what a crash leaves of a store that was only begun. */
  isVacant(place: StoragePlace): Promise<boolean>;
  /** The names of what is right below a place: stores, or places that lead to some. */
  list(place: StoragePlace): Promise<readonly string[]>;
  /**
   * Removes a closed store, or a copy, with everything below it. After a crash, it is complete or absent once the
   * outermost store is opened again.
   */
  remove(place: StoragePlace): Promise<void>;
  /** Milliseconds since 1970 by the clock that all processes follow which use the stores; undefined for the machine's. */
  readonly time?: () => number;
  readonly measured?: () => Pick<WorkspacesMeasured, 'lease' | 'clockSkew'>;
  /** Closes shared resources. Call it after all stores are closed. */
  close(): Promise<void>;
}

/** Options of stores on disk. */
interface Disk {
  /** 32 bytes to encrypt with (OP-33); undefined if data is stored in plain text. */
  readonly key?: Uint8Array | undefined;
  readonly files?: Files | undefined;
  /** How large a log gets before a checkpoint; the store's own measure where nothing else is said. */
  readonly checkpointAfterBytes?: number | undefined;
  readonly warn: (message: string) => void;
  /** Makes the budget of a store that is opened, or of a copy in memory, which has no limit of its own. */
  readonly newBudget?: ((maxBytes?: number) => ByteBudget) | undefined;
  /** Measures writes. */
  readonly observer?: CommitObserver | undefined;
}

/** Keeps the stores of one process in a folder, or in memory if there is none. */
export function localStorage({ dataDir, ...disk }: Disk & { readonly dataDir?: string | undefined }): Storage {
  return dataDir === undefined ? memoryStorage(disk.warn, disk) : diskStorage(dataDir, disk);
}

/** Keeps each store in a folder below `dir`. */
export function diskStorage(dir: string, { files = diskFiles, key, newBudget, ...disk }: Disk): Storage {
  const sealer = new Sealer(key);
  /** Those of stores that are open, or that are being imported. */
  const sealers = new Map<string, StoreSealer>();
  const newSealer = (place: StoragePlace) => new StoreSealer(sealer, nameOf(place));
  const sealerOf = (place: StoragePlace) => {
    const found = sealers.get(nameOf(place)) ?? newSealer(place);
    sealers.set(nameOf(place), found);
    return found;
  };
  const folder = (place: StoragePlace) => join(dir, ...place.map(refusePath));
  const copy = (place: StoragePlace) => new CopyFile(folder(place), files, sealerOf(ownerOf(place)).at(nameOf(place)));
  const removed = (place: StoragePlace) => join(dir, `${removedPrefix}${place.join('-')}`);
  const remove = async (place: StoragePlace) => {
    // On another disk, or behind a removal that a crash cut off, it is removed where it is.
    await rename(folder(place), removed(place)).catch(() => {});
    for (const path of [removed(place), folder(place)]) await rm(path, { recursive: true, force: true });
    sealers.delete(nameOf(place));
  };
  /** Ends removals that a crash cut off. */
  const endRemovals = async () => {
    const names = (await entriesOf(dir)).map(({ name }) => name).filter((name) => name.startsWith(removedPrefix));
    for (const name of names) await rm(join(dir, name), { recursive: true, force: true });
  };
  /** Whether a folder with these files holds a store. */
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
        await copy(place).write(content);
      } catch (error) {
        await remove(place);
        throw error;
      }
    },
    read: (place) => copy(place).read(),
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
        // It may have read the id of another store.
        if (!isKnown) sealers.delete(nameOf(place));
        throw error;
      });
      // The owner of this lock owns the whole folder.
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

/** A name of a place, which must not lead out of the folder. */
function refusePath(name: string): string {
  if (!['', '.', '..'].includes(name) && !/[/\\\0]/.test(name)) return name;
  throw new StoreError('unreadable', `${JSON.stringify(name)} is not a name that a workspace or snapshot can have`);
}

/** A place as a name. */
function nameOf(place: StoragePlace): string {
  return place.join('/');
}

/** Where the store is that a copy belongs to. */
function ownerOf(place: StoragePlace): StoragePlace {
  return place[0] === below ? place.slice(0, 2) : [];
}

/** What the names of folders begin with that are being removed. */
const removedPrefix = '.removed-';

/** What is in a folder; nothing if there is none. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Keeps stores and copies as long as the process lives. A closed store can still be read. */
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
