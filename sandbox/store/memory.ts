import type { BooksSpec, Store } from './store.ts';
import { Transactor } from './transactor.ts';
import { WorkingSet } from './working-set.ts';

/** A store that forgets: for tests and throw-away sandboxes. It keeps every rule of the port but durability. */
export function openMemoryStore<Books>(
  spec: BooksSpec<Books>,
  warn: (message: string) => void = console.warn,
): Store<Books> {
  const nothing = { persist: async () => {}, close: async () => {} };
  return new Transactor(new WorkingSet(spec), nothing, warn);
}
