/** Stores with a collection of each durability, and a disk whose syncs end when the test says so. */
import { onTestFinished } from 'vitest';
import { diskFiles, type Files } from '../../sandbox/store/files.ts';
import { type LowdbOptions, openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { BooksSpec, Store } from '../../sandbox/store/store.ts';
import { type Call, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';

/** Orders are synced, visits are written. */
export interface TwoBooks {
  orders: number;
  visits: number;
}

export const twoSpec: BooksSpec<TwoBooks> = { orders: {}, visits: { durability: 'written' } };

/** A store of these books, closed after the test. */
export async function openTwo(
  options: Partial<LowdbOptions<TwoBooks>> & { dir: string },
): Promise<{ store: Store<TwoBooks>; warnings: string[] }> {
  const warnings: string[] = [];
  const store = await openLowdbStore({ spec: twoSpec, warn: (message) => warnings.push(message), ...options });
  onTestFinished(() => store.close());
  return { store, warnings };
}

export const twoAdapters: Record<string, () => Promise<Store<TwoBooks>>> = {
  memory: async () => openMemoryStore(twoSpec),
  lowdb: async () => (await openTwo({ dir: await temporaryFolder() })).store,
};

export const order = (store: Store<TwoBooks>, n: number): Promise<void> =>
  store.transact((tx) => tx.put('orders', `o${n}`, n));

export const visit = (store: Store<TwoBooks>, n: number): Promise<void> =>
  store.transact((tx) => tx.put('visits', `v${n}`, n));

/** What plain reads see. */
export const seen = (store: Store<TwoBooks>) => ({ orders: store.all('orders'), visits: store.all('visits') });

/** A disk on which syncs of journals are held up from `hold` on until `release`, or fail then. */
export function holdingFiles(disk: Files = diskFiles, before: (call: Call) => unknown = () => undefined) {
  const calls: Call[] = [];
  let held = Promise.withResolvers<void>();
  let started = Promise.withResolvers<void>();
  let holds = false;
  const files = withFaults(disk, (call) => {
    calls.push(call);
    if (!holds || call.name !== 'sync' || !call.path.includes('journal-')) return before(call);
    started.resolve();
    return held.promise.then(() => before(call));
  });
  return {
    files,
    calls,
    hold: () => {
      [holds, held, started] = [true, Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    },
    /** Resolves when a sync is held up. */
    isHeld: () => started.promise,
    release: () => {
      holds = false;
      held.resolve();
    },
    fail: (error: Error) => {
      holds = false;
      held.reject(error);
    },
  };
}
