/** Finding the workspaces that were stored, when a process starts. */

import { newestAt } from '../activity-log/stored-log.ts';
import { newLife } from '../assembly/life.ts';
import { OwnedElsewhere, StoreError, StoreFullError } from '../store/store.ts';
import { MisplacedFileError } from '../store/store-sealer.ts';
import { type LoadedWorkspaces, readLastKnown } from './loaded-workspaces.ts';
import { bytesOfWorkspace, memoryText, moreMemory } from './process-memory.ts';
import { resumedMeta } from './seed.ts';
import type { OpenedStore, SharedServices } from './services.ts';
import { below, type Storage, type StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';
import { WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

/** Stores that a start opens at the same time. */
const openedAtOnce = 16;

/** What a start needs of the workspaces. */
interface Reopening {
  readonly services: Pick<SharedServices, 'storage' | 'memory' | 'warn' | 'realTime'>;
  readonly index: WorkspaceIndex;
  readonly loaded: LoadedWorkspaces;
  /** Moves one in whose store is open. */
  readonly add: (opened: OpenedStore) => Workspace;
}

/** Finds the workspaces that were stored, and ends what was being made or deleted when the process died. */
export async function reopenStored(reopening: Reopening): Promise<void> {
  const { storage, memory } = reopening.services;
  const names = await (storage.placement?.unenrolled() ?? storage.list([below]));
  // As many as possible: where they do not all fit in memory, the largest ones are left out.
  const smallestFirst = (await Promise.all(names.map((name) => sized(storage, name)))).sort(bySize);
  const openAll = async (waiting: Iterable<StoredWorkspace>) => {
    for (const { name, bytes } of waiting) {
      await reopenAt(reopening, name).catch((error) => {
        // Another instance sees to it, or is making it at this moment.
        if (storage.placement === undefined || !(error instanceof OwnedElsewhere))
          return setApart(reopening, name, explained(error, bytes));
      });
    }
  };
  const sure = smallestFirst.splice(0, countThatFit(smallestFirst, memory.free)).values();
  await Promise.all(Array.from({ length: openedAtOnce }, () => openAll(sure)));
  // One after another, so that a large one that does not fit never takes the place of a smaller one.
  await openAll(smallestFirst);
}

/** A workspace, and the size of its files. */
interface StoredWorkspace {
  readonly name: string;
  readonly bytes: number;
}

async function sized(storage: Storage, name: string): Promise<StoredWorkspace> {
  // If they cannot be read, opening them says why.
  return { name, bytes: await storage.sizeOf([below, name]).catch(() => 0) };
}

function bySize(one: StoredWorkspace, other: StoredWorkspace): number {
  return one.bytes - other.bytes;
}

/** How many fit whatever their files contain. */
function countThatFit(smallestFirst: readonly StoredWorkspace[], free: number): number {
  let left = free;
  const first = smallestFirst.findIndex(({ bytes }) => {
    left -= bytes + bytesOfWorkspace;
    return left < 0;
  });
  return first === -1 ? smallestFirst.length : first;
}

/** The error, with what to do where the memory for all workspaces is used up. */
function explained(error: Error, bytes: number): Error {
  if (!(error instanceof StoreFullError) || error.scope !== 'process') return error;
  const size = `${Math.ceil(bytes / 2 ** 20)} MiB`;
  const why = `its files have ${size}, more than is left of the ${memoryText(error.maxBytes)}`;
  return new StoreError('full', `${why}: ${moreMemory}, or delete other workspaces and restart`);
}

/**
 * Registers a workspace that cannot be loaded, so that it can be listed and deleted. Files of another one are left alone, unless
 * this one is known to have been there.
 */
async function setApart({ services, index, loaded }: Reopening, name: string, error: Error): Promise<void> {
  const { storage, warn, realTime } = services;
  const place: StoragePlace = [below, name];
  warn(`Cannot use workspace ${name}: ${error.message}`);
  const last = await readLastKnown(storage, place);
  if (last === undefined && error instanceof MisplacedFileError) return;
  const unknown = { id: name, life: newLife(realTime(), null), dueAt: null };
  const workspace = new WorkspaceHandle(place, loaded, last ?? unknown);
  workspace.noteLoadFailure(error);
  if (last === undefined) index.note(workspace);
  else index.register(workspace, last);
}

/** Opens the workspace in a folder. A folder that holds none is left unchanged. */
async function reopenAt({ services, index, loaded, add }: Reopening, name: string): Promise<void> {
  const { storage, warn, realTime } = services;
  const place: StoragePlace = [below, name];
  if (await storage.isVacant(place)) return storage.remove(place);
  const store = (await storage.has(place)) ? await storage.open(place) : undefined;
  const meta = store?.get('meta', 'workspace');
  if (store !== undefined && meta?.id === name && !meta.deleted) {
    const calls = await storage.openCalls(place, store);
    const workspace = add({
      place,
      store,
      calls,
      meta: resumedMeta(meta, realTime(), newestAt(store, calls.saved.calls)),
    });
    await workspace.resume().catch(async (error) => {
      const added = index.get(name);
      if (added !== undefined) index.unregister(added);
      loaded.slots.release();
      await workspace.close();
      throw error;
    });
    await storage.placement?.enrol(workspace.record());
    if (storage.placement) await index.get(name)?.unload();
    return;
  }
  await store?.close();
  if (meta?.id === name) return storage.remove(place);
  warn(`${below}/${name} contains no workspace and was left unchanged; remove it if it is not needed`);
}
