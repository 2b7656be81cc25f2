import type { CallLog } from '../activity-log/call-log.ts';
import { type Meta, type WorkspaceCollections, workspaceSchema } from '../assembly/collections.ts';
import type { Timer } from '../runtime/timer.ts';
import { openMemoryStore } from '../store/memory.ts';
import { OwnedElsewhere, type Store, StoreError, StoreFullError } from '../store/store.ts';
import type { SharedRecords } from './cluster.ts';
import { memoryText, moreMemory } from './process-memory.ts';
import { newAdminToken, newRoot, type Workspaces } from './registry.ts';
import type { Storage } from './storage.ts';
import type { Workspace } from './workspace.ts';

/** How often, and how many times, it is looked who has the demo workspace: for longer than a lease holds. */
const lookEach = 100;
const mostLooks = 60;

/** The collections of the demo workspace, or as much of them as a start needs where another instance has them. */
export interface DemoCollections {
  readonly store: Store<WorkspaceCollections>;
  /** Where its calls are saved; left out where another instance has it. */
  readonly calls?: CallLog;
  readonly isOwn: boolean;
}

/**
 * Opens them. Rejects with `StoreError` where that cannot be: `OwnedElsewhere` where a process has them that shares
 * nothing, and keeps them.
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
    // A registered owner has seeded it; any other one is about to do so, or its lease is about to end.
    const meta = (await records.ownerOf('demo')) === undefined ? undefined : await records.demo();
    if (meta !== undefined) return { store: await storeWithMeta(meta, warn), isOwn: false };
    await new Promise<void>((resolve) => void timer(resolve, lookEach));
  }
}

/** Collections in memory that say what the demo workspace is like, and hold nothing else. */
export async function storeWithMeta(meta: Meta, warn: (message: string) => void): Promise<Store<WorkspaceCollections>> {
  const store = openMemoryStore(workspaceSchema, warn);
  await store.transact((tx) => tx.put('meta', 'workspace', meta));
  return store;
}

/** Data whose main book is lost must not look like new data. */
async function refuseWithoutBook(storage: Storage): Promise<void> {
  if (await storage.has([])) return;
  const left = (await storage.list([])).filter((name) => name === 'snapshots' || name === 'workspaces');
  if (left.length === 0) return;
  const missing = `the main store (db.json and wal.log) is missing next to ${left.toSorted().join(' and ')}`;
  throw new StoreError('damaged', `${missing}: restore it from a backup, or start with an empty folder`);
}

/** The demo workspace answers for the sandbox itself, so nothing can be served without it. */
function tooLarge({ maxBytes, scope }: StoreFullError): StoreError {
  if (scope === 'process')
    return new StoreError('full', `The demo workspace is larger than the ${memoryText(maxBytes)}: ${moreMemory}`);
  const limit = `${Math.floor(maxBytes / 2 ** 20)} MiB`;
  return new StoreError('full', `The demo workspace is larger than ${limit}: start with a larger --max-workspace-size`);
}

/**
 * The demo workspace, and the one that refuses calls in its name. Where other machines can reach the sandbox, that one has
 * secrets and a log of its own: nothing that a caller without a credential does is seen in the demo workspace.
 */
export async function addDemo(
  workspaces: Workspaces,
  { store, calls, isOwn }: DemoCollections,
  meta: Meta,
  { isShared, isReachedByOthers }: Readonly<Record<'isShared' | 'isReachedByOthers', boolean>>,
  warn: (message: string) => void,
): Promise<{ readonly demo: Workspace; readonly home: Workspace }> {
  const apart = (store: DemoCollections['store'], as = meta) => workspaces.apart({ place: ['apart'], store, meta: as });
  // Where another instance has it, what is here only says what is refused, and what the demo workspace is like.
  const demo = isOwn ? workspaces.add({ place: [], store, ...(calls && { calls }), meta }) : apart(store);
  if (isReachedByOthers) {
    const stranger = { ...meta, root: newRoot(), adminToken: newAdminToken(), settings: {}, given: {} };
    return { demo, home: apart(await storeWithMeta(stranger, warn), stranger) };
  }
  // One that is shared can be lost at any time, and this instance still has to refuse calls.
  return { demo, home: isOwn && isShared ? apart(await storeWithMeta(meta, warn)) : demo };
}
