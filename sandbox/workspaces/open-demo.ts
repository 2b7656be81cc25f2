import { type Books, booksSpec } from '../assembly/books.ts';
import type { Timer } from '../runtime/timer.ts';
import { openMemoryStore } from '../store/memory.ts';
import { OwnedElsewhere } from '../store/owned-elsewhere.ts';
import { type Store, StoreError } from '../store/store.ts';
import type { Storage } from './storage.ts';

/** How often, and how many times, it is looked whether another instance has filled the demo workspace. */
const lookEach = 100;
const mostLooks = 100;

/** The books of the demo workspace, or as much of them as a start needs where another instance has them. */
export interface DemoBooks {
  readonly store: Store<Books>;
  readonly isOwn: boolean;
}

/** Opens them. Rejects with `StoreError` where that cannot be. */
export async function openDemo(storage: Storage, timer: Timer, warn: (message: string) => void): Promise<DemoBooks> {
  await refuseWithoutBook(storage);
  try {
    return { store: await storage.open([]), isOwn: true };
  } catch (error) {
    if (storage.placement === undefined || !(error instanceof OwnedElsewhere)) throw error;
  }
  for (let tries = 0; tries < mostLooks; tries += 1) {
    const meta = await storage.placement.demo();
    if (meta !== undefined) {
      const store = openMemoryStore(booksSpec, warn);
      await store.transact((tx) => tx.put('meta', 'workspace', meta));
      return { store, isOwn: false };
    }
    // Its owner is about to fill it.
    await new Promise<void>((resolve) => void timer(resolve, lookEach));
  }
  throw new StoreError('unreadable', 'The instance that has the demo workspace does not fill it');
}

/** Data whose main book is lost must not look like new data. */
async function refuseWithoutBook(storage: Storage): Promise<void> {
  if (await storage.has([])) return;
  const left = (await storage.list([])).filter((name) => name === 'snapshots' || name === 'workspaces');
  if (left.length === 0) return;
  const missing = `the main book, db.json and its journal, is missing beside ${left.toSorted().join(' and ')}`;
  throw new StoreError('damaged', `${missing}: put it back from a backup, or start with an empty folder`);
}
