import { changedLife, isOver, type Life, type LifeChange, newerOf } from '../assembly/life.ts';
import type { MemorySlots } from './memory-slots.ts';
import type { SharedServices } from './services.ts';
import type { Workspace } from './workspace.ts';
import { Gone, type WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceIndex } from './workspace-index.ts';
import type { WorkspaceSummary } from './workspace-record.ts';

/** How often, and at most how many times, to check whether another instance has removed a workspace. */
const lookMilliseconds = 20;
const mostLooks = 200;

type Services = Pick<SharedServices, 'storage' | 'realTime' | 'timer' | 'warn'>;

/** How long workspaces live, and how they end (OP-54, OP-227). */
export class Expiry {
  readonly #index: WorkspaceIndex;
  readonly #slots: MemorySlots;
  readonly #services: Services;
  /** Deletions that wait for calls in progress. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(index: WorkspaceIndex, slots: MemorySlots, services: Services) {
    this.#index = index;
    this.#slots = slots;
    this.#services = services;
  }

  /** Removes expired workspaces, and stores when the others were last used. */
  async sweep(): Promise<void> {
    const { storage, realTime, warn } = this.#services;
    const now = realTime();
    await Promise.all(
      this.#index.all.map(async (handle) => {
        try {
          if (storage.placement !== undefined && handle.running?.gaveUp) this.discard(handle);
          else if (!isOver(handle.life, now)) await this.#noteUse(handle);
          else await this.#removeUnless(handle, now);
        } catch (error) {
          warn(`Cannot update the expiry of workspace ${handle.id}: ${(error as Error).message}`);
        }
      }),
    );
  }

  /** Changes name or expiry of a workspace on any instance; undefined if there is none. */
  async change(id: string, change: LifeChange): Promise<WorkspaceSummary | undefined> {
    const { storage, realTime } = this.#services;
    const changed = (life: Life) => changedLife(life, change, realTime());
    if (storage.placement !== undefined) return storage.placement.changeLife(id, changed);
    const here = this.#index.get(id);
    return here && this.#changeLife(here, changed);
  }

  /** Applies an expiry that another instance has changed. */
  async learn(handle: WorkspaceHandle): Promise<void> {
    const shared = await this.#services.storage.placement?.find(handle.id);
    if (shared === undefined || shared.life.changed === handle.life.changed) return;
    await this.#changeLife(handle, (life) => newerOf(life, shared.life));
  }

  /** Removes a workspace on any instance. Resolves with whether it existed. */
  async removeById(id: string): Promise<boolean> {
    const here = this.#index.get(id);
    if (here === undefined) return this.#removeElsewhere(id);
    try {
      await this.remove(here);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      return this.#removeElsewhere(id);
    }
    return true;
  }

  /** Revokes its credentials now, and deletes its data when its last call has ended. Rejects with `Gone`. */
  async remove(handle: WorkspaceHandle): Promise<void> {
    if (handle.loadFailure !== undefined) return this.#removeUnloaded(handle);
    const workspace = await handle.use(async (running) => {
      const done = running.usage.begin();
      try {
        await running.markDeleted();
        await this.#services.storage.placement?.remove(handle.id);
        // A concurrent deletion was faster.
        if (!this.#index.has(handle)) return undefined;
        this.#index.unregister(handle);
        return handle.retire();
      } finally {
        done();
      }
    });
    if (workspace !== undefined) this.#follow(this.#release(workspace), `Cannot remove workspace ${workspace.id}`);
  }

  /** Removes a workspace that cannot be loaded, and therefore has no work in progress. */
  async #removeUnloaded(handle: WorkspaceHandle): Promise<void> {
    const { storage } = this.#services;
    await storage.placement?.remove(handle.id);
    await storage.remove(handle.place);
    handle.retire();
    this.#index.unregister(handle);
  }

  /** Closes a workspace whose store failed, so that the next caller can load it. */
  discard(handle: WorkspaceHandle): void {
    if (!this.#index.has(handle)) return;
    this.#index.unregister(handle);
    const discarded = handle.discard().finally(() => this.#slots.release());
    this.#follow(discarded, `Cannot close workspace ${handle.id}`);
  }

  /** Resolves when deletions in progress have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Tracks a deletion until it ends, and warns if it fails. */
  #follow(ending: Promise<void>, what: string): void {
    const left = ending
      .catch((error: Error) => this.#services.warn(`${what}: ${error.message}`))
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  async #release(workspace: Workspace): Promise<void> {
    await workspace.quiet();
    await workspace.usage.idle();
    await workspace.close();
    this.#slots.release();
    await this.#services.storage.remove(workspace.place);
  }

  /** Removes a workspace of another instance: announces it, and waits until that instance has removed it. */
  async #removeElsewhere(id: string): Promise<boolean> {
    const { placement } = this.#services.storage;
    const record = await placement?.find(id);
    if (placement === undefined || record === undefined) return false;
    await placement.remove(id);
    // When the caller gets the response, no instance serves the workspace.
    for (let looks = 0; looks < mostLooks && (await placement.isThere(id)); looks += 1) {
      await new Promise<void>((resolve) => void this.#services.timer(resolve, lookMilliseconds));
    }
    return true;
  }

  /** Removes an expired workspace, unless another instance has extended it. */
  async #removeUnless(handle: WorkspaceHandle, now: number): Promise<void> {
    await this.learn(handle);
    if (isOver(handle.life, now)) await this.remove(handle);
  }

  /** Stores when a workspace was last used, also for other instances. */
  async #noteUse({ running }: WorkspaceHandle): Promise<void> {
    if (running !== undefined && (await running.noteUse())) {
      await this.#services.storage.placement?.note(running.record());
    }
  }

  /** Changes the expiry of a workspace of this process; undefined if it is being deleted. */
  async #changeLife(handle: WorkspaceHandle, change: (life: Life) => Life): Promise<Workspace | undefined> {
    try {
      return await handle.use(async (running) => {
        const done = running.usage.begin();
        await running.changeLife(change).finally(done);
        return running;
      });
    } catch (error) {
      if (error instanceof Gone) return undefined;
      throw error;
    }
  }
}
