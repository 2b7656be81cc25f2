import { ByteBudget } from '../../sandbox/store/byte-budget.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { postgres } from '../harness/postgres.ts';
import { join } from './postgres-stores.ts';
import { type Collections, schema } from './schema.ts';
import { open } from './stores.ts';

const database = postgres();
const noLimit = { maxBytes: Number.POSITIVE_INFINITY };

/** A new store with the warnings it emitted. */
export interface Opened {
  readonly store: Store<Collections>;
  readonly warnings: string[];
}

/** Every adapter of the store port. Each must fulfil the whole contract, and accepts an optional limit in bytes. */
export const adapters: Record<string, (limit?: { readonly maxBytes: number }) => Promise<Opened>> = {
  memory: async ({ maxBytes } = noLimit): Promise<Opened> => {
    const warnings: string[] = [];
    return {
      store: openMemoryStore(schema, (message) => warnings.push(message), { budget: new ByteBudget(maxBytes) }),
      warnings,
    };
  },
  lowdb: async (limit): Promise<Opened> => open({ dir: await temporaryFolder(), ...limit }),
  PostgreSQL: async (limit) => (await join(await database(), limit)).open(),
};

/** Returns an order of this customer. */
export const order = (customer: string, points = 1): Collections['orders'] => ({ customer, points });
