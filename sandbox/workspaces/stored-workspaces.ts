import type { CallLog } from '../activity-log/call-log.ts';
import { newestAt } from '../activity-log/stored-log.ts';
import type { Meta, WorkspaceCollections } from '../assembly/collections.ts';
import { newerOf, newLife } from '../assembly/life.ts';
import { damagedError } from '../store/encoding.ts';
import type { Slice } from '../store/row.ts';
import { MisplacedFileError } from '../store/seal.ts';
import { OwnedElsewhere, type Store, StoreError, StoreFullError } from '../store/store.ts';
import type { SharedRecords } from './cluster.ts';
import { bytesOfWorkspace, memoryText, moreMemory } from './process-memory.ts';
import { resumedMeta } from './seed.ts';
import type { OpenedStore, SharedServices } from './services.ts';
import { below, type Storage, type StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';
import { type Loader, WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceIndex } from './workspace-index.ts';
import type { DormantWorkspace } from './workspace-record.ts';

/** Maximum number of stores that a start opens concurrently. */
const openedAtOnce = 16;

interface StoredOptions {
  readonly index: WorkspaceIndex;
  readonly services: Pick<SharedServices, 'storage' | 'memory' | 'warn' | 'realTime'>;
  readonly build: (opened: OpenedStore) => Workspace;
  /** The records of shared workspaces, if any. */
  readonly records: SharedRecords | undefined;
}

/**
 * The loader of workspaces from their stores. At startup, it loads all workspaces that only this process uses. Later,
 * it loads single workspaces that startup could not load.
 */
export class StoredWorkspaces implements Loader {
  readonly #options: StoredOptions;
  #isStarted = false;

  constructor(options: StoredOptions) {
    this.#options = options;
  }

  /** Starts the due work of the workspaces in memory, and of those loaded later. */
  start(): void {
    this.#isStarted = true;
    for (const workspace of this.#options.index.running) workspace.start();
  }

  async load(handle: WorkspaceHandle): Promise<Workspace> {
    const { id, place, memory } = handle;
    const { storage } = this.#options.services;
    const store = await storage.open(place);
    const meta = store.get('meta', 'workspace');
    if (meta?.id !== id) {
      await store.close();
      throw damagedError(place.join('/'), 'the record of the workspace');
    }
    const life = memory === undefined ? meta.life : newerOf(memory.life, meta.life);
    const workspace = await this.#resumed(place, store, { ...meta, life });
    this.#options.index.register(handle, workspace.identity());
    if (this.#isStarted) workspace.start();
    return workspace;
  }

  /**
   * Writes the identity of a workspace next to its data when a process ends gracefully. If the data cannot be loaded
   * later, calls with the workspace's credentials get 503 instead of 401 (OP-229).
   */
  async unloaded({ id, place, memory }: WorkspaceHandle): Promise<void> {
    if (memory === undefined || !('digests' in memory) || place.length === 0) return;
    const { storage, warn } = this.#options.services;
    await writeLastKnown(storage, place, memory).catch((error: Error) =>
      warn(`Cannot note the credentials of workspace ${id} next to its data: ${error.message}`),
    );
  }

  /**
   * Finds the stored workspaces. Removes those that were being created or deleted when the process died.
   *
   * @param loader loads the workspaces that cannot be loaded now, when they are called
   */
  async reopen(loader: Loader): Promise<void> {
    const { services, records } = this.#options;
    const { storage, memory } = services;
    const names = await (records?.unenrolled() ?? storage.list([below]));
    // Load as many as possible: if they do not all fit in memory, leave out the largest ones.
    const smallestFirst = (await Promise.all(names.map((name) => sized(storage, name)))).sort(
      (one, other) => one.bytes - other.bytes,
    );
    const openAll = async (waiting: Iterable<StoredWorkspace>) => {
      for (const { name, bytes } of waiting) {
        await this.#reopenAt([below, name], name, loader).catch((error) => {
          // Another instance owns the workspace, or is creating it right now.
          if (records !== undefined && error instanceof OwnedElsewhere) return undefined;
          return this.#setApart([below, name], name, loader, explained(error, bytes));
        });
      }
    };
    const sure = smallestFirst.splice(0, countThatFit(smallestFirst, memory.free)).values();
    await Promise.all(Array.from({ length: openedAtOnce }, () => openAll(sure)));
    // Open the rest one after another, so that a large workspace that does not fit never displaces a smaller one.
    await openAll(smallestFirst);
  }

  /** Opens the workspace in a folder. Removes it if it is vacant, incomplete or deleted. Leaves any other folder unchanged. */
  async #reopenAt(place: StoragePlace, name: string, loader: Loader): Promise<void> {
    const { index, records, services } = this.#options;
    const { storage, warn } = services;
    if (await storage.isVacant(place)) return storage.remove(place);
    const store = (await storage.has(place)) ? await storage.open(place) : undefined;
    const meta = store?.get('meta', 'workspace');
    if (store !== undefined && meta?.id === name && !meta.deleted) {
      const workspace = await this.#resumed(place, store, meta);
      if (records === undefined)
        return index.register(new WorkspaceHandle(place, loader, workspace), workspace.identity());
      // The instance that receives the first call will own it.
      await records.enrol(workspace.record());
      return records.note(await workspace.unload());
    }
    await store?.close();
    if (meta?.id === name) return storage.remove(place);
    warn(`${below}/${name} contains no workspace and was left unchanged; remove it if it is not needed`);
  }

  /** Resumes the workspace of a store. Closes the store if that fails. */
  async #resumed(place: StoragePlace, store: Store<WorkspaceCollections>, meta: Meta): Promise<Workspace> {
    const { services, build } = this.#options;
    let calls: CallLog | undefined;
    try {
      calls = await services.storage.openCalls(place, store);
      const resumed = resumedMeta(meta, services.realTime(), newestAt(store, calls.saved.calls));
      const workspace = build({ place, store, calls, meta: resumed });
      await workspace.resume();
      return workspace;
    } catch (error) {
      await calls?.close();
      await store.close();
      throw error;
    }
  }

  /**
   * Registers a workspace that cannot be loaded, so that it can be listed and deleted. Ignores files of another
   * workspace, unless this workspace is known to have been there.
   */
  async #setApart(place: StoragePlace, name: string, loader: Loader, error: Error): Promise<void> {
    const { index, services } = this.#options;
    const { storage, warn, realTime } = services;
    warn(`Cannot use workspace ${name}: ${error.message}`);
    const last = await readLastKnown(storage, place);
    if (last === undefined && error instanceof MisplacedFileError) return;
    const unknown = { id: name, life: newLife(realTime(), null), dueAt: null };
    const workspace = new WorkspaceHandle(place, loader, last ?? unknown);
    workspace.noteLoadFailure(error);
    if (last === undefined) index.note(workspace);
    else index.register(workspace, last);
  }
}

/** A stored workspace, and the size of its files in bytes. */
interface StoredWorkspace {
  readonly name: string;
  readonly bytes: number;
}

async function sized(storage: Storage, name: string): Promise<StoredWorkspace> {
  // If the files cannot be read, opening them reports why.
  return { name, bytes: await storage.sizeOf([below, name]).catch(() => 0) };
}

/** Returns the number of workspaces that certainly fit in memory, regardless of their content. */
function countThatFit(smallestFirst: readonly StoredWorkspace[], free: number): number {
  let left = free;
  const first = smallestFirst.findIndex(({ bytes }) => {
    left -= bytes + bytesOfWorkspace;
    return left < 0;
  });
  return first === -1 ? smallestFirst.length : first;
}

/** Returns the error, with a remedy if the memory for all workspaces is used up. */
function explained(error: Error, bytes: number): Error {
  if (!(error instanceof StoreFullError) || error.scope !== 'process') return error;
  const size = `${Math.ceil(bytes / 2 ** 20)} MiB`;
  const why = `its files have ${size}, more than is left of the ${memoryText(error.maxBytes)}`;
  return new StoreError('full', `${why}: ${moreMemory}, or delete other workspaces and restart`);
}

const name = 'last-known';

/** A dormant workspace in its stored form. Keys are hexadecimal. */
type StoredDormant = Omit<DormantWorkspace, 'tokenKeys'> & { readonly tokenKeys: readonly string[] };

async function writeLastKnown(storage: Storage, place: StoragePlace, dormant: DormantWorkspace): Promise<void> {
  const tokenKeys = dormant.tokenKeys.map((key) => Buffer.from(key).toString('hex'));
  await storage.write([...place, name], one({ ...dormant, tokenKeys }));
}

/** Returns the identity that was written last, or undefined if it is missing or cannot be read either. */
async function readLastKnown(storage: Storage, place: StoragePlace): Promise<DormantWorkspace | undefined> {
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
