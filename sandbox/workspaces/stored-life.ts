import type { Meta, WorkspaceCollections } from '../assembly/collections.ts';
import type { Life } from '../assembly/life.ts';
import type { Store } from '../store/store.ts';

type WorkspaceStore = Store<WorkspaceCollections>;

/** Marks a workspace as deleted in its own record. */
export function markDeleted(store: WorkspaceStore, initial: Meta): Promise<void> {
  return store.transact((tx) => {
    const meta = tx.get('meta', 'workspace') ?? initial;
    tx.put('meta', 'workspace', { ...meta, deleted: true });
  });
}

/** Changes name or expiry in the record of a workspace. Resolves with the stored life. */
export function changeStoredLife(store: WorkspaceStore, initial: Meta, change: (life: Life) => Life): Promise<Life> {
  return store.transact((tx) => {
    const meta = tx.get('meta', 'workspace') ?? initial;
    const changed = change(meta.life);
    tx.put('meta', 'workspace', { ...meta, life: changed });
    return changed;
  });
}

/** Stores the time of the last use of a workspace, unless its record has it already. */
export async function writeLastUse(store: WorkspaceStore, stored: Meta, { used }: Pick<Life, 'used'>): Promise<void> {
  if (stored.life.used === used) return;
  await store.transact((tx) => {
    const meta = tx.get('meta', 'workspace') ?? stored;
    // Name and end may have been changed while this waited for its turn.
    tx.put('meta', 'workspace', { ...meta, life: { ...meta.life, used } });
  });
}
