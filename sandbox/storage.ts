import type { Dirent } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Books, booksSpec } from './books.ts';
import { type Files, systemCode } from './store/files.ts';
import { isStore, openLowdbStore } from './store/lowdb.ts';
import { openMemoryStore } from './store/memory.ts';
import type { Store } from './store/store.ts';

/** Where a store is: names from the outermost in; the demo workspace is at the empty place. */
export type Place = readonly string[];

/** Where workspaces and snapshots are kept: each in a store of its own. */
export interface Storage {
  /** Rejects with `StoreError` when what is there cannot be opened. */
  open(place: Place): Promise<Store<Books>>;
  /** Whether there is a store, whole or damaged. */
  has(place: Place): Promise<boolean>;
  /** The names of what is right below a place: stores, or places that lead to some. */
  list(place: Place): Promise<readonly string[]>;
  /** Removes a store that is closed, with everything below it. */
  remove(place: Place): Promise<void>;
}

/** What stores on a disk are kept with. */
interface Disk {
  /** 32 bytes to encrypt with (OP-33); undefined where data is kept as it is. */
  readonly key: Uint8Array | undefined;
  readonly files: Files;
  /** How large a journal gets before it is folded; the store's own measure where nothing else is said. */
  readonly foldAfterBytes?: number | undefined;
  readonly warn: (message: string) => void;
}

/** Keeps each store in a folder below `dir`. */
export function diskStorage(dir: string, { files, ...disk }: Disk): Storage {
  const folder = (place: Place) => join(dir, ...place);
  return {
    open: (place) => openLowdbStore({ dir: folder(place), spec: booksSpec, fs: files, ...disk }),
    has: async (place) => isStore((await entriesOf(folder(place))).map(({ name }) => name)),
    list: async (place) => {
      const entries = await entriesOf(folder(place));
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    remove: (place) => rm(folder(place), { recursive: true, force: true }),
  };
}

/** What is in a folder; nothing where there is none. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Keeps stores as long as the process lives. A closed one can still be read. */
export function memoryStorage(warn: (message: string) => void): Storage {
  const stores = new Map<string, Store<Books>>();
  const below = (place: Place, path: string) => path.startsWith(place.map((name) => `${name}/`).join(''));
  return {
    async open(place) {
      const path = place.map((name) => `${name}/`).join('');
      const store = stores.get(path) ?? openMemoryStore(booksSpec, warn);
      stores.set(path, store);
      return store;
    },
    has: async (place) => stores.has(place.map((name) => `${name}/`).join('')),
    list: async (place) => {
      const paths = [...stores.keys()].filter((path) => below(place, path));
      return [...new Set(paths.map((path) => path.split('/')[place.length] ?? ''))].filter((name) => name !== '');
    },
    async remove(place) {
      for (const path of [...stores.keys()]) if (below(place, path)) stores.delete(path);
    },
  };
}
