import type { CommitLog, CommitObserver } from './commit-log.ts';
import type { BooksSpec, Store } from './store.ts';
import { Transactor } from './transactor.ts';
import { WorkingSet } from './working-set.ts';

/** A store that forgets: for tests and throw-away sandboxes. It keeps every rule of the port but durability. */
export function openMemoryStore<Books>(
  spec: BooksSpec<Books>,
  warn: (message: string) => void = console.warn,
  {
    observer,
    maxBytes,
  }: { readonly observer?: CommitObserver | undefined; readonly maxBytes?: number | undefined } = {},
): Store<Books> {
  const log: CommitLog<Books> = {
    commit: async () => 0,
    applied: () => {},
    prepare: async (_working, slices) => {
      // Reading them fills the working set.
      for await (const _slice of slices);
      return { commit: async () => {}, discard: async () => {} };
    },
    close: async () => {},
  };
  return new Transactor(new WorkingSet(spec, { maxBytes }), log, warn, observer);
}
