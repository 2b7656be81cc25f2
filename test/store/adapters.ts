import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { postgres } from '../harness/postgres.ts';
import { open } from './books.ts';
import { type Books, historySpec, spec } from './books-spec.ts';
import { join } from './postgres-books.ts';

const database = postgres();

/** A fresh store with the warnings it gives. */
export interface Opened {
  readonly store: Store<Books>;
  readonly warnings: string[];
}

/** Every adapter of the store port: each keeps the whole contract. */
export const adapters: Record<string, () => Promise<Opened>> = {
  memory: async (): Promise<Opened> => {
    const warnings: string[] = [];
    return { store: openMemoryStore(spec, (message) => warnings.push(message)), warnings };
  },
  lowdb: async (): Promise<Opened> => open({ dir: await temporaryFolder() }),
  'lowdb, what is history on the disk': async () =>
    open({ dir: await temporaryFolder(), spec: historySpec, foldAfterBytes: 1 }),
  PostgreSQL: async () => (await join(await database())).open(),
};

/** An order of this customer. */
export const order = (customer: string, points = 1): Books['orders'] => ({ customer, points });
