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

/** A fresh store with the warnings it gives. */
export interface Opened {
  readonly store: Store<Collections>;
  readonly warnings: string[];
}

/** Every adapter of the store port: each fulfils the whole contract. A store can have a limit in bytes. */
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

/** An order of this customer. */
export const order = (customer: string, points = 1): Collections['orders'] => ({ customer, points });
