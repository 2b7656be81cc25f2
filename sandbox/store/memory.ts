import type { ByteBudget } from './byte-budget.ts';
import type { CommitLog, CommitObserver } from './commit-log.ts';
import type { Store, StoreSchema } from './store.ts';
import { Transactor } from './transactor.ts';
import { WorkingSet } from './working-set.ts';

/** Opens a store that persists nothing, for tests and throw-away sandboxes. It follows every rule of the port except durability. */
export function openMemoryStore<Collections>(
  schema: StoreSchema<Collections>,
  warn: (message: string) => void = console.warn,
  given: { readonly observer?: CommitObserver | undefined; readonly budget?: ByteBudget | undefined } = {},
): Store<Collections> {
  const log: CommitLog<Collections> = {
    commit: async () => 0,
    applied: () => {},
    prepare: async (_working, slices) => {
      // Reading the slices fills the working set.
      for await (const _slice of slices);
      return { commit: async () => {}, discard: async () => {} };
    },
    close: async () => {},
  };
  return new Transactor(new WorkingSet(schema, given.budget), log, warn, given.observer);
}
