import type { Life } from '../assembly/life.ts';
import { StoreError, type StoreErrorCode } from '../store/store.ts';
import type { StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';
import type { DormantWorkspace, WorkspaceRecord } from './workspace-record.ts';

/** How a workspace comes into memory, and leaves it. */
export interface Keeper {
  /** Opens its books and lets it run. Rejects with `StoreError`, or with `NoRoom`. */
  readonly load: (handle: WorkspaceHandle) => Promise<Workspace>;
  /** It has left memory: frees its slot, and lets other instances load it. */
  readonly left: (handle: WorkspaceHandle) => Promise<void>;
  readonly warn: (message: string) => void;
}

/** The workspace is not here any more: another instance may have it, or it is to go. */
export class Gone extends Error {}

/** Why stored data cannot be loaded, where another try finds the same. */
const lasting: readonly StoreErrorCode[] = ['damaged', 'wrong_key', 'full'];

/** A workspace that the sandbox has, in memory or not (OP-211). */
export class WorkspaceHandle {
  readonly id: string;
  readonly place: StoragePlace;
  readonly #keeper: Keeper;
  #running: Workspace | undefined;
  #memory: (WorkspaceRecord & Partial<DormantWorkspace>) | undefined;
  /** What brings it into memory or out of it. */
  #changing: Promise<void> | undefined;
  /** Callers who wait for it. */
  #wanted = 0;
  #isGone = false;
  #loadFailure: StoreError | undefined;

  constructor(place: StoragePlace, keeper: Keeper, is: Workspace | WorkspaceRecord) {
    this.id = is.id;
    this.place = place;
    this.#keeper = keeper;
    if ('dueAt' in is) this.#memory = is;
    else this.#running = is;
  }

  /** Where it is in memory, and not about to leave. */
  get running(): Workspace | undefined {
    return this.#running;
  }

  /** What is known of it while it is not in memory. */
  get memory(): (WorkspaceRecord & Partial<DormantWorkspace>) | undefined {
    return this.#memory;
  }

  /** Why it cannot be loaded, where that stays so until a restart. */
  get loadFailure(): StoreError | undefined {
    return this.#loadFailure;
  }

  /** Notes why it cannot be loaded. Rejections that another try may not meet are not kept. */
  noteLoadFailure(error: unknown): void {
    if (error instanceof StoreError && lasting.includes(error.code)) this.#loadFailure = error;
  }

  /** How long it lives. */
  get life(): Life {
    const life = this.#running?.life ?? this.#memory?.life;
    if (life === undefined) throw new Error(`workspace ${this.id} is unknown`);
    return life;
  }

  /**
   * Lets `run` have it, brought back where it is not in memory. What `run` needs it for it must count (`Workspace.count`)
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

  /** Whether nobody needs it in memory now. */
  get isIdle(): boolean {
    return this.#running?.isIdle === true && this.#wanted === 0 && this.#changing === undefined && !this.#isGone;
  }

  /** Lets it leave memory, unless somebody needs it. Resolves with whether it left. */
  async leave(): Promise<boolean> {
    const workspace = this.#running;
    if (workspace === undefined || !this.isIdle) return false;
    // Where the disk takes nothing, what was acknowledged is in memory alone.
    if (!(await workspace.isKept())) return false;
    if (this.#running !== workspace || !this.isIdle) return false;
    this.#running = undefined;
    this.#changing = this.#rest(workspace);
    await this.#changing;
    return true;
  }

  /** Nobody gets it from now on. Returns it where it is in memory: who has it already goes on. */
  retire(): Workspace | undefined {
    const workspace = this.#running;
    this.#running = undefined;
    this.#isGone = true;
    return workspace;
  }

  /** Lets go of it, since its store does not keep anything any more: others may have it. Resolves once all is closed. */
  async discard(): Promise<void> {
    const workspace = this.retire();
    if (workspace === undefined) return;
    workspace.cut();
    await workspace.quiet();
    await workspace.close();
  }

  /** The same at the end of the process: nobody is asked. Rejects where it could not be closed. */
  async end(): Promise<void> {
    // That it could not be loaded is told to whoever wanted it.
    await this.#changing?.catch(() => undefined);
    const workspace = this.#running;
    if (workspace === undefined) return;
    this.#running = undefined;
    this.#memory = await workspace.rest();
    await this.#keeper.left(this);
  }

  async #load(): Promise<void> {
    try {
      // To read it again could take long, and anyone with its credentials can ask for it.
      if (this.#loadFailure !== undefined) throw this.#loadFailure;
      this.#running = await this.#keeper.load(this);
      this.#memory = undefined;
    } catch (error) {
      this.noteLoadFailure(error);
      throw error;
    } finally {
      this.#changing = undefined;
    }
  }

  async #rest(workspace: Workspace): Promise<void> {
    this.#memory = workspace.record();
    const rested = workspace.rest().then(
      (memory) => {
        this.#memory = memory;
      },
      (error) => this.#warn(error),
    );
    try {
      await rested;
      await this.#keeper.left(this);
      this.#isGone = true;
    } catch (error) {
      this.#warn(error);
    } finally {
      this.#changing = undefined;
    }
  }

  #warn(error: unknown): void {
    this.#keeper.warn(`Cannot unload workspace ${this.id} cleanly: ${(error as Error).message}`);
  }
}
