import type { Life } from '../assembly/life.ts';
import { StoreError, type StoreErrorCode } from '../store/store.ts';
import type { StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';
import type { DormantWorkspace, WorkspaceRecord } from './workspace-record.ts';

/** The port that loads workspaces into memory and unloads them. */
export interface Loader {
  /** Opens the store of a workspace and starts the workspace. Rejects with `StoreError`, or if memory is currently insufficient. */
  readonly load: (handle: WorkspaceHandle) => Promise<Workspace>;
  /** Called when a workspace is no longer in memory. */
  readonly unloaded: (handle: WorkspaceHandle) => Promise<void>;
}

/** The error for a workspace that another instance has taken over or that is being deleted. */
export class WorkspaceGone extends Error {}

/** The codes of load failures that another attempt cannot fix. */
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
  /** The number of callers that wait for the workspace. */
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

  /** The running workspace; undefined while it is not in memory, or is about to be unloaded. */
  get running(): Workspace | undefined {
    return this.#running;
  }

  /** The record of the workspace while it is not in memory. */
  get memory(): WorkspaceRecord | DormantWorkspace | undefined {
    return this.#memory;
  }

  /** The error that prevents loading until a restart, if any. */
  get loadFailure(): StoreError | undefined {
    return this.#loadFailure;
  }

  /** Records a load failure, unless another attempt may succeed. */
  noteLoadFailure(error: unknown): void {
    if (error instanceof StoreError && lasting.includes(error.code)) this.#loadFailure = error;
  }

  /** The lifetime and the name of the workspace. */
  get life(): Life {
    const life = this.#running?.life ?? this.#memory?.life;
    if (life === undefined) throw new Error(`workspace ${this.id} is unknown`);
    return life;
  }

  /**
   * Passes the workspace to `run`, after loading it if necessary. Before it waits for anything, `run` must count its
   * use of the workspace (`Usage.beginCall`). Rejects as `load` does.
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
        if (this.#isGone) throw new WorkspaceGone(`workspace ${this.id} is gone`);
        this.#changing ??= this.#load();
      }
    } finally {
      this.#wanted -= 1;
    }
  }

  /** Whether the workspace can be unloaded now. */
  get isIdle(): boolean {
    return this.#running?.isIdle === true && this.#wanted === 0 && this.#changing === undefined && !this.#isGone;
  }

  /** Closes the handle to new callers. Returns the running workspace, if any, so that its current callers can finish. */
  retire(): Workspace | undefined {
    const workspace = this.#running;
    this.#running = undefined;
    this.#isGone = true;
    return workspace;
  }

  /** Unloads the workspace. Callers that arrive meanwhile wait, and then find it gone. Rejects if it cannot be closed. */
  async leave(): Promise<void> {
    const workspace = this.retire();
    if (workspace === undefined) return;
    this.#memory = workspace.record();
    const left = this.#unload(workspace);
    const over = () => {
      this.#changing = undefined;
    };
    this.#changing = left.then(over, over);
    await left;
  }

  /** Unloads the workspace when the process ends. Rejects if it cannot be closed. */
  async end(): Promise<void> {
    // Waiting callers receive the load failure themselves.
    await this.#changing?.catch(() => undefined);
    await this.leave();
  }

  async #load(): Promise<void> {
    try {
      // Do not retry: reading the data again can take long, and anyone with its credentials can trigger it.
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

  async #unload(workspace: Workspace): Promise<void> {
    try {
      this.#memory = await workspace.unload();
    } finally {
      await this.#loader.unloaded(this);
    }
  }
}
