import type { CallLog } from '../activity-log/call-log.ts';
import type { Meta, WorkspaceCollections } from '../assembly/collections.ts';
import type { Store } from '../store/store.ts';
import type { OpenedStore } from './services.ts';
import type { Storage, StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';

/** Fills the collections of a new workspace; `meta` says that it is not whole yet. */
export type Fill = (store: Store<WorkspaceCollections>, meta: Meta) => Promise<void>;

/** What a workspace is made with. */
interface Maker {
  readonly storage: Storage;
  readonly warn: (message: string) => void;
  readonly build: (opened: OpenedStore) => Workspace;
  /** Registers it once it is complete. */
  readonly enrol: (workspace: Workspace) => Promise<void>;
}

/**
 * Makes a workspace with everything in it. Where that fails, nothing of it stays, and it rejects.
 *
 * @param fill fills its collections; left out, they are seeded
 */
export async function makeWorkspace(
  { storage, warn, build, enrol }: Maker,
  place: StoragePlace,
  meta: Meta,
  fill: Fill | undefined,
): Promise<Workspace> {
  let store: Store<WorkspaceCollections> | undefined;
  let calls: CallLog | undefined;
  try {
    store = await storage.open(place);
    const unfinished = { ...meta, deleted: true } as const;
    // Until it is whole, it is to go: a start after a crash removes nothing else.
    await store.transact((tx) => tx.put('meta', 'workspace', unfinished));
    calls = await storage.openCalls(place, store);
    const workspace = build({ place, store, calls, meta });
    await (fill === undefined ? workspace.seed() : fillWith(fill, store, unfinished));
    await enrol(workspace);
    return workspace;
  } catch (error) {
    await calls?.close();
    const closed = store?.close() ?? Promise.resolve();
    const left = closed.finally(() => storage.remove(place));
    await left.catch((why: Error) => warn(`Cannot remove the incomplete workspace ${meta.id}: ${why.message}`));
    throw error;
  }
}

/** Fills the collections otherwise, and notes that they are whole. */
async function fillWith(fill: Fill, store: Store<WorkspaceCollections>, unfinished: Meta): Promise<void> {
  await fill(store, unfinished);
  await store.transact((tx) => {
    const { deleted: _, ...whole } = tx.get('meta', 'workspace') ?? unfinished;
    tx.put('meta', 'workspace', whole);
  });
}
