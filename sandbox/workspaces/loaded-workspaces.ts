import type { CallLog } from '../activity-log/call-log.ts';
import { newestAt } from '../activity-log/stored-log.ts';
import type { WorkspaceCollections } from '../assembly/collections.ts';
import { newerOf } from '../assembly/life.ts';
import { damagedError } from '../store/encoding.ts';
import { type Store, StoreError, StoreFullError } from '../store/store.ts';
import type { Slice } from '../store/view.ts';
import { MemorySlots, NoFreeSlot } from './memory-slots.ts';
import { resumedMeta } from './seed.ts';
import type { OpenedStore, SharedServices } from './services.ts';
import type { Storage, StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';
import type { Loader, WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceIndex } from './workspace-index.ts';
import type { DormantWorkspace } from './workspace-record.ts';

/** A workspace leaves memory only if its next due work is further away than this. */
const soonMilliseconds = 60_000;

/**
 * Loads workspaces into memory and unloads them. Only workspaces that several instances share are unloaded: to unload one is to
 * release the claim on it, so that any instance can load it again (OP-211, OP-212).
 */
export class LoadedWorkspaces implements Loader {
  readonly #index: WorkspaceIndex;
  readonly #services: SharedServices;
  readonly #build: (opened: OpenedStore) => Workspace;
  readonly slots: MemorySlots;
  #started = false;

  constructor(index: WorkspaceIndex, services: SharedServices, build: (opened: OpenedStore) => Workspace) {
    const { timer, storage, mostLoaded } = services;
    this.#index = index;
    this.#services = services;
    this.#build = build;
    const most = storage.placement === undefined ? Number.POSITIVE_INFINITY : mostLoaded;
    this.slots = new MemorySlots({ most, timer, free: () => this.#freeOne() });
  }

  /** Starts the due work of the workspaces in memory, and of those loaded later. */
  start(): void {
    this.#started = true;
    for (const workspace of this.#index.running) workspace.start();
  }

  async load(handle: WorkspaceHandle): Promise<Workspace> {
    for (;;) {
      try {
        return await this.#load(handle);
      } catch (error) {
        const isLarge = error instanceof StoreFullError && error.scope === 'process';
        if (!isLarge || this.#services.storage.placement === undefined) throw error;
        if (!(await this.#freeOne())) throw new NoFreeSlot();
      }
    }
  }

  async #load(handle: WorkspaceHandle): Promise<Workspace> {
    const { id, place, memory } = handle;
    const { storage, realTime } = this.#services;
    await this.slots.acquire();
    let store: Store<WorkspaceCollections> | undefined;
    let calls: CallLog | undefined;
    try {
      store = await storage.open(place);
      const meta = store.get('meta', 'workspace');
      if (meta?.id !== id) throw damagedError(place.join('/'), 'the record of the workspace');
      calls = await storage.openCalls(place, store);
      const life = memory === undefined ? meta.life : newerOf(memory.life, meta.life);
      const own = resumedMeta(meta, realTime(), newestAt(store, calls.saved.calls));
      const workspace = this.#build({ place, store, calls, meta: { ...own, life } });
      await workspace.resume();
      this.#index.markLoaded(handle, storage.placement && workspace);
      if (this.#started) workspace.start();
      return workspace;
    } catch (error) {
      this.slots.release();
      await calls?.close();
      await store?.close();
      throw error;
    }
  }

  async unloaded(handle: WorkspaceHandle): Promise<void> {
    this.#index.markUnloaded(handle);
    this.slots.release();
    const { storage } = this.#services;
    const { place, memory } = handle;
    if (storage.placement !== undefined) {
      this.#index.unregister(handle);
      if (memory !== undefined) await storage.placement.note(memory);
    } else if (memory !== undefined && 'digests' in memory && place.length > 0) {
      await writeLastKnown(storage, place, memory).catch((error: Error) =>
        this.warn(`Cannot note the credentials of workspace ${handle.id} next to its data: ${error.message}`),
      );
    }
  }

  warn(message: string): void {
    this.#services.warn(message);
  }

  /** Unloads unused workspaces one after the other: others use the disk too. */
  async unloadIdle(): Promise<void> {
    for (const handle of this.#index.loaded) {
      if (this.#isUnused(handle, this.#services.realTime())) await handle.unload();
    }
  }

  /** Unloads the idle workspace that was used least recently. */
  async #freeOne(): Promise<boolean> {
    const idle = this.#index.loaded.filter((handle) => handle.isIdle && handle.place.length > 0);
    for (const handle of idle.toSorted((one, other) => one.life.used - other.life.used)) {
      if (await handle.unload()) return true;
    }
    return false;
  }

  /** Whether it can be unloaded without being loaded again soon. */
  #isUnused({ place, isIdle, life, running }: WorkspaceHandle, now: number): boolean {
    const { storage, idleMilliseconds } = this.#services;
    if (storage.placement === undefined || place.length === 0 || !isIdle || now - life.used < idleMilliseconds)
      return false;
    const dueAt = running?.record().dueAt ?? null;
    return dueAt === null || dueAt - now > soonMilliseconds;
  }
}

const name = 'last-known';

/** As it is stored: keys are hexadecimal. */
type StoredDormant = Omit<DormantWorkspace, 'tokenKeys'> & { readonly tokenKeys: readonly string[] };

/**
 * Writes the identity of a workspace next to its data, when a process ends in order. If its data cannot be loaded later, calls with its
 * credentials get 503 instead of 401 (OP-229).
 */
async function writeLastKnown(storage: Storage, place: StoragePlace, dormant: DormantWorkspace): Promise<void> {
  const tokenKeys = dormant.tokenKeys.map((key) => Buffer.from(key).toString('hex'));
  await storage.write([...place, name], one({ ...dormant, tokenKeys }));
}

/** What was written last; undefined if nothing was, or if it cannot be read either. */
export async function readLastKnown(storage: Storage, place: StoragePlace): Promise<DormantWorkspace | undefined> {
  try {
    for await (const { rows } of storage.read([...place, name])) {
      for (const { record } of rows) {
        const { tokenKeys, ...stored } = record as StoredDormant;
        return { ...stored, tokenKeys: tokenKeys.map((key) => Buffer.from(key, 'hex')) };
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  return undefined;
}

async function* one(record: StoredDormant): AsyncGenerator<Slice, void, void> {
  yield { collection: name, rows: [{ id: name, record }] };
}
