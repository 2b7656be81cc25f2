import { type Meta, type WorkspaceCollections, workspaceSchema } from '../assembly/collections.ts';
import type { Timer } from '../runtime/clock.ts';
import { openMemoryStore } from '../store/memory.ts';
import { OwnedElsewhere, type Store, StoreError, StoreFullError } from '../store/store.ts';
import type { SharedRecords } from './cluster.ts';
import { memoryText, moreMemory } from './process-memory.ts';
import { newAdminToken, newRoot, type Workspaces } from './registry.ts';
import type { OpenedStore } from './services.ts';
import type { Storage } from './storage.ts';
import type { Workspace } from './workspace.ts';

/**
 * The interval in milliseconds, and the maximum number, of checks for the owner of the demo workspace. Together, the
 * checks last longer than a lease.
 */
const lookEach = 100;
const mostLooks = 60;

/** The collections of the demo workspace, or only the part that a start needs if another instance owns them. */
export interface DemoCollections extends Pick<OpenedStore, 'store' | 'calls'> {
  /** Whether this process owns the workspace. If not, the log that saves its calls is omitted. */
  readonly isOwn: boolean;
}

/**
 * Opens the collections of the demo workspace. Rejects with `StoreError` if that is impossible. Rejects with
 * `OwnedElsewhere` if a process that does not share workspaces still owns them.
 */
export async function openDemo(
  storage: Storage,
  timer: Timer,
  warn: (message: string) => void,
  records?: SharedRecords,
): Promise<DemoCollections> {
  await refuseWithoutBook(storage);
  for (let looks = 1; ; looks += 1) {
    try {
      const store = await storage.open([]);
      return { store, calls: await storage.openCalls([], store), isOwn: true };
    } catch (error) {
      if (error instanceof StoreFullError) throw tooLarge(error);
      if (records === undefined || !(error instanceof OwnedElsewhere) || looks === mostLooks) throw error;
    }
    // A registered owner has already seeded the workspace. Any other owner is about to do so, or its lease is about to end.
    const meta = (await records.ownerOf('demo')) === undefined ? undefined : await records.demo();
    if (meta !== undefined) return { store: await storeWithMeta(meta, warn), isOwn: false };
    await new Promise<void>((resolve) => void timer(resolve, lookEach));
  }
}

/** Creates collections in memory that contain only the record of the demo workspace. */
export async function storeWithMeta(meta: Meta, warn: (message: string) => void): Promise<Store<WorkspaceCollections>> {
  const store = openMemoryStore(workspaceSchema, warn);
  await store.transact((tx) => tx.put('meta', 'workspace', meta));
  return store;
}

/** Rejects if only the main store is missing, because such data must not look like new data. */
async function refuseWithoutBook(storage: Storage): Promise<void> {
  if (await storage.has([])) return;
  const left = (await storage.list([])).filter((name) => name === 'snapshots' || name === 'workspaces');
  if (left.length === 0) return;
  const missing = `the main store (db.json and wal.log) is missing next to ${left.toSorted().join(' and ')}`;
  throw new StoreError('damaged', `${missing}: restore it from a backup, or start with an empty folder`);
}

/**
 * Returns the error for a demo workspace that does not fit in memory. Nothing can be served without that workspace,
 * because it answers for the sandbox.
 */
function tooLarge({ maxBytes, scope }: StoreFullError): StoreError {
  if (scope === 'process')
    return new StoreError('full', `The demo workspace is larger than the ${memoryText(maxBytes)}: ${moreMemory}`);
  const limit = `${Math.floor(maxBytes / 2 ** 20)} MiB`;
  return new StoreError('full', `The demo workspace is larger than ${limit}: start with a larger --max-workspace-size`);
}

/**
 * Adds the demo workspace, and returns it with the workspace that refuses calls in its name (`home`). If other machines
 * can reach the sandbox, `home` has separate secrets and a separate log. Calls without a credential are then not
 * visible in the demo workspace.
 */
export async function addDemo(
  workspaces: Workspaces,
  { store, calls, isOwn }: DemoCollections,
  meta: Meta,
  { isShared, isReachedByOthers }: Readonly<Record<'isShared' | 'isReachedByOthers', boolean>>,
  warn: (message: string) => void,
): Promise<{ readonly demo: Workspace; readonly home: Workspace }> {
  const apart = (store: DemoCollections['store'], as = meta) => workspaces.apart({ place: ['apart'], store, meta: as });
  // If another instance owns the demo workspace, the local one only refuses calls and describes the demo workspace.
  const demo = isOwn ? workspaces.add({ place: [], store, ...(calls && { calls }), meta }) : apart(store);
  if (isReachedByOthers) {
    const stranger = { ...meta, root: newRoot(), adminToken: newAdminToken(), settings: {}, given: {} };
    return { demo, home: apart(await storeWithMeta(stranger, warn), stranger) };
  }
  // This instance can lose a shared workspace at any time, and must still be able to refuse calls.
  return { demo, home: isOwn && isShared ? apart(await storeWithMeta(meta, warn)) : demo };
}
