import type { Life } from '../assembly/life.ts';
import { StoreError, type StoreErrorCode } from '../store/store.ts';
import type { StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';
import type { DormantWorkspace, WorkspaceRecord } from './workspace-record.ts';

/** Loads workspaces into memory and unloads them. */
export interface Loader {
  /** Opens its store and starts it. Rejects with `StoreError`, or if there is no memory for it now. */
  readonly load: (handle: WorkspaceHandle) => Promise<Workspace>;
  /** Called once a workspace is no longer in memory. */
  readonly unloaded: (handle: WorkspaceHandle) => Promise<void>;
}

/** The workspace is no longer here: another instance has it, or it is being deleted. */
export class WorkspaceGone extends Error {}

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
        if (this.#isGone) throw new WorkspaceGone(`workspace ${this.id} is gone`);
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

  /** Closes it to new callers. Returns the running workspace, if any: callers that have it finish. */
  retire(): Workspace | undefined {
    const workspace = this.#running;
    this.#running = undefined;
    this.#isGone = true;
    return workspace;
  }

  /** Unloads it. Callers that come meanwhile wait, and then find it gone. Rejects if it cannot be closed. */
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

  /** Unloads it when the process ends. Rejects if it cannot be closed. */
  async end(): Promise<void> {
    // Callers that wait for it get the load failure themselves.
    await this.#changing?.catch(() => undefined);
    await this.leave();
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

  async #unload(workspace: Workspace): Promise<void> {
    try {
      this.#memory = await workspace.unload();
    } finally {
      await this.#loader.unloaded(this);
    }
  }
}
