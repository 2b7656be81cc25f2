import { changedLife, isOver, type Life, type LifeChange } from '../assembly/life.ts';
import type { Sharing } from './cluster.ts';
import type { SharedServices } from './services.ts';
import type { Workspace } from './workspace.ts';
import { WorkspaceGone, type WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceIndex } from './workspace-index.ts';
import type { WorkspaceSummary } from './workspace-record.ts';

type Services = Pick<SharedServices, 'storage' | 'realTime' | 'warn'>;

/** The lifetime of workspaces, and their removal (OP-54, OP-227). */
export class Expiry {
  readonly #index: WorkspaceIndex;
  readonly #services: Services;
  readonly #sharing: Sharing | undefined;
  /** Deletions that wait for calls in progress. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(index: WorkspaceIndex, services: Services, sharing: Sharing | undefined) {
    this.#index = index;
    this.#services = services;
    this.#sharing = sharing;
  }

  /** Removes expired workspaces, and stores the time of last use of the others. */
  async sweep(): Promise<void> {
    const { realTime, warn } = this.#services;
    const now = realTime();
    await Promise.all(
      this.#index.all.map(async (handle) => {
        try {
          if (!isOver(handle.life, now)) await this.#noteUse(handle);
          else await this.#removeUnless(handle, now);
        } catch (error) {
          warn(`Cannot update the expiry of workspace ${handle.id}: ${(error as Error).message}`);
        }
      }),
    );
  }

  /** Changes the name or expiry of a workspace on any instance. Returns undefined if there is none. */
  async change(id: string, change: LifeChange): Promise<WorkspaceSummary | undefined> {
    const changed = (life: Life) => changedLife(life, change, this.#services.realTime());
    if (this.#sharing !== undefined) return this.#sharing.records.changeLife(id, changed);
    const here = this.#index.get(id);
    return here && this.changeLife(here, changed);
  }

  /** Removes a workspace on any instance. Resolves with whether it existed. */
  async removeById(id: string): Promise<boolean> {
    const here = this.#index.get(id);
    try {
      if (here !== undefined) {
        await this.remove(here);
        return true;
      }
    } catch (error) {
      if (!(error instanceof WorkspaceGone)) throw error;
    }
    return (await this.#sharing?.removeElsewhere(id)) ?? false;
  }

  /** Revokes the credentials of a workspace immediately. Deletes its data when its last call has ended. Rejects with `WorkspaceGone`. */
  async remove(handle: WorkspaceHandle): Promise<void> {
    if (handle.loadFailure !== undefined) return this.#removeUnloaded(handle);
    const workspace = await handle.use((running) =>
      running.usage.during(async () => {
        await running.markDeleted();
        await this.#sharing?.records.remove(handle.id);
        // A concurrent deletion was faster.
        if (!this.#index.has(handle)) return undefined;
        this.#index.unregister(handle);
        return handle.retire();
      }),
    );
    if (workspace !== undefined) this.follow(this.#release(workspace), `Cannot remove workspace ${workspace.id}`);
  }

  /** Removes a workspace that cannot be loaded, and therefore has no work in progress. */
  async #removeUnloaded(handle: WorkspaceHandle): Promise<void> {
    await this.#sharing?.records.remove(handle.id);
    await this.#services.storage.remove(handle.place);
    handle.retire();
    this.#index.unregister(handle);
  }

  /** Resolves when deletions in progress have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Tracks a deletion until it ends, and warns if it fails. */
  follow(ending: Promise<void>, what: string): void {
    const left = ending
      .catch((error: Error) => this.#services.warn(`${what}: ${error.message}`))
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  async #release(workspace: Workspace): Promise<void> {
    await workspace.quiet();
    await workspace.usage.idle();
    await workspace.close();
    this.#sharing?.slots.release();
    await this.#services.storage.remove(workspace.place);
  }

  /** Removes an expired workspace, unless another instance has extended it. */
  async #removeUnless(handle: WorkspaceHandle, now: number): Promise<void> {
    await this.#sharing?.learn(handle);
    if (isOver(handle.life, now)) await this.remove(handle);
  }

  /** Stores the time of a workspace's last use, also for other instances. */
  async #noteUse({ running }: WorkspaceHandle): Promise<void> {
    if (running !== undefined && (await running.noteUse())) {
      await this.#sharing?.records.note(running.record());
    }
  }

  /** Changes the name or expiry of a workspace of this process. Returns undefined if it is being deleted. */
  async changeLife(handle: WorkspaceHandle, change: (life: Life) => Life): Promise<Workspace | undefined> {
    try {
      return await handle.use(async (running) => {
        await running.usage.during(() => running.changeLife(change));
        return running;
      });
    } catch (error) {
      if (error instanceof WorkspaceGone) return undefined;
      throw error;
    }
  }
}
