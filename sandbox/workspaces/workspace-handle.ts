import type { Life } from '../assembly/life.ts';
import { StoreError, type StoreErrorCode } from '../store/store.ts';
import type { StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';
import type { DormantWorkspace, WorkspaceRecord } from './workspace-record.ts';

/** Loads workspaces into memory and unloads them. */
export interface Loader {
  /** Opens its store and starts it. Rejects with `StoreError` or `NoFreeSlot`. */
  readonly load: (handle: WorkspaceHandle) => Promise<Workspace>;
  /** Frees the memory slot of an unloaded workspace, so that other instances can load it. */
  readonly unloaded: (handle: WorkspaceHandle) => Promise<void>;
  readonly warn: (message: string) => void;
}

/** The workspace is no longer here: another instance has it, or it is being deleted. */
export class Gone extends Error {}

/** Load failures that another attempt cannot fix. */
const lasting: readonly StoreErrorCode[] = ['damaged', 'wrong_key', 'full'];

/** A workspace of this process, in memory or not (OP-211). */
export class WorkspaceHandle {
  readonly id: string;
  readonly place: StoragePlace;
  readonly #loader: Loader;
  #running: Workspace | undefined;
  #memory: WorkspaceRecord | DormantWorkspace | undefined;
  /** A load or unload in progress. */
  #changing: Promise<void> | undefined;
  /** Callers who wait for it. */
  #wanted = 0;
  #isGone = false;
  #loadFailure: StoreError | undefined;

  constructor(place: StoragePlace, loader: Loader, is: Workspace | WorkspaceRecord) {
    this.id = is.id;
    this.place = place;
    this.#loader = loader;
    if ('dueAt' in is) this.#memory = is;
    else this.#running = is;
  }

  /** Undefined while it is not in memory, or is about to leave. */
  get running(): Workspace | undefined {
    return this.#running;
  }

  /** Its record while it is not in memory. */
  get memory(): WorkspaceRecord | DormantWorkspace | undefined {
    return this.#memory;
  }

  /** Why it cannot be loaded before a restart, if so. */
  get loadFailure(): StoreError | undefined {
    return this.#loadFailure;
  }

  /** Records why it cannot be loaded, unless another attempt may succeed. */
  noteLoadFailure(error: unknown): void {
    if (error instanceof StoreError && lasting.includes(error.code)) this.#loadFailure = error;
  }

  /** Its expiry. */
  get life(): Life {
    const life = this.#running?.life ?? this.#memory?.life;
    if (life === undefined) throw new Error(`workspace ${this.id} is unknown`);
    return life;
  }

  /**
   * Lets `run` have it, brought back where it is not in memory. What `run` needs it for it must count (`Usage.beginCall`)
   * before it waits for anything. Rejects as `load` does.
   */
  use<R>(run: (workspace: Workspace) => Promise<R>): Promise<R> {
    return this.#running === undefined ? this.#useLater(run) : run(this.#running);
  }

  async #useLater<R>(run: (workspace: Workspace) => Promise<R>): Promise<R> {
    this.#wanted += 1;
    try {
      for (;;) {
        await this.#changing;
        if (this.#running !== undefined) return run(this.#running);
        if (this.#isGone) throw new Gone(`workspace ${this.id} is gone`);
        this.#changing ??= this.#load();
      }
    } finally {
      this.#wanted -= 1;
    }
  }

  /** Whether it can leave memory now. */
  get isIdle(): boolean {
    return this.#running?.isIdle === true && this.#wanted === 0 && this.#changing === undefined && !this.#isGone;
  }

  /** Unloads it if it is idle. Resolves with whether it was unloaded. */
  async unload(): Promise<boolean> {
    const workspace = this.#running;
    if (workspace === undefined || !this.isIdle) return false;
    // If the disk rejects writes, acknowledged changes exist in memory only.
    if (!(await workspace.isFlushed())) return false;
    if (this.#running !== workspace || !this.isIdle) return false;
    this.#running = undefined;
    this.#changing = this.#finishUnload(workspace);
    await this.#changing;
    return true;
  }

  /** Closes it to new callers. Returns the running workspace, if any: callers that have it finish. */
  retire(): Workspace | undefined {
    const workspace = this.#running;
    this.#running = undefined;
    this.#isGone = true;
    return workspace;
  }

  /** Closes it after its store failed, so that another instance can load it. Resolves once everything is closed. */
  async discard(): Promise<void> {
    const workspace = this.retire();
    if (workspace === undefined) return;
    workspace.cut();
    await workspace.quiet();
    await workspace.close();
  }

  /** Unloads it unconditionally when the process ends. Rejects if it cannot be closed. */
  async end(): Promise<void> {
    // Callers that wait for it get the load failure themselves.
    await this.#changing?.catch(() => undefined);
    const workspace = this.#running;
    if (workspace === undefined) return;
    this.#running = undefined;
    this.#memory = await workspace.unload();
    await this.#loader.unloaded(this);
  }

  async #load(): Promise<void> {
    try {
      // Reading the data again can take long, and anyone with its credentials can trigger it.
      if (this.#loadFailure !== undefined) throw this.#loadFailure;
      this.#running = await this.#loader.load(this);
      this.#memory = undefined;
    } catch (error) {
      this.noteLoadFailure(error);
      throw error;
    } finally {
      this.#changing = undefined;
    }
  }

  async #finishUnload(workspace: Workspace): Promise<void> {
    this.#memory = workspace.record();
    const unloaded = workspace.unload().then(
      (memory) => {
        this.#memory = memory;
      },
      (error) => this.#warn(error),
    );
    try {
      await unloaded;
      await this.#loader.unloaded(this);
      this.#isGone = true;
    } catch (error) {
      this.#warn(error);
    } finally {
      this.#changing = undefined;
    }
  }

  #warn(error: unknown): void {
    this.#loader.warn(`Cannot unload workspace ${this.id} cleanly: ${(error as Error).message}`);
  }
}
