import { isOver, newerOf } from '../assembly/life.ts';
import { repeatedly, type Timer } from '../runtime/clock.ts';
import { OwnedElsewhere, StoreFullError } from '../store/store.ts';
import type { ClusterHost, Sharing } from '../workspaces/cluster.ts';
import { below } from '../workspaces/storage.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { WorkspaceGone, WorkspaceHandle } from '../workspaces/workspace-handle.ts';
import type { WorkspaceRecord } from '../workspaces/workspace-record.ts';
import { MemorySlots, NoFreeSlot } from './memory-slots.ts';
import type { Placement, UnattendedWorkspace } from './placement.ts';

/** Milliseconds between scans for workspaces without an owner. Every `allEach`-th scan covers all records. */
const lookEach = 1_000;
const allEach = 60;

/** An unused workspace is unloaded only if its next work is due later than this, in milliseconds. */
const soonMilliseconds = 60_000;

/** The interval in milliseconds, and the maximum number, of checks whether another instance has removed a workspace. */
const removedMilliseconds = 20;
const mostRemovedChecks = 200;

export interface SharedWorkspacesOptions {
  readonly placement: Placement;
  readonly timer: Timer;
  /** Maximum number of workspaces in memory, and the idle time after which one is unloaded (OP-211, OP-212). */
  readonly mostLoaded: number;
  readonly idleMilliseconds: number;
}

/**
 * The shared workspaces that this process currently owns. It loads a workspace for a call. It also loads one that no
 * instance owns, if its work is due, it has expired or its owner died (OP-209). Unloading a workspace releases the
 * claim on it, so that any instance can load it again (OP-211, OP-212).
 */
export class SharedWorkspaces implements Sharing {
  readonly slots: MemorySlots;
  readonly #options: SharedWorkspacesOptions;
  readonly #host: ClusterHost;
  #looks = 0;
  /** The number of workspaces at the last full scan. */
  #count = 1;
  #lastWarning = '';
  #isOver = false;
  /** Removals and changes in progress, which were announced for workspaces of this process. */
  readonly #announced = new Set<Promise<void>>();
  #end = () => Promise.resolve();

  constructor(options: SharedWorkspacesOptions, host: ClusterHost) {
    const { placement, timer, mostLoaded } = options;
    this.#options = options;
    this.#host = host;
    this.slots = new MemorySlots({ most: mostLoaded, timer, free: () => this.#freeOne() });
    placement.onAnnouncement(({ kind, id }) => {
      const here = this.get(id);
      if (here === undefined || this.#isOver) return;
      const act = () => (kind === 'removed' ? host.remove(here) : this.learn(here));
      const done = this.#try(id, act).finally(() => this.#announced.delete(done));
      this.#announced.add(done);
    });
  }

  get records(): Placement {
    return this.#options.placement;
  }

  start(): void {
    this.#end = repeatedly(this.#options.timer, () => this.#look(), lookEach);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all([this.#end(), ...this.#announced]);
  }

  measured() {
    // `gaveUp` is always 0, because the next call reopens a workspace whose store gave up.
    return { count: this.#count, gaveUp: 0 };
  }

  /** Returns the handle of a workspace of this process, unless its store accepts no more writes. */
  get(id: string): WorkspaceHandle | undefined {
    const here = this.#host.index.get(id);
    if (here?.running?.gaveUp !== true) return here;
    this.#discard(here, here.running);
    return undefined;
  }

  /** Loads a workspace. Rejects with `OwnedElsewhere` if another instance owns it, and with any other loading error. */
  async adopt(record: WorkspaceRecord): Promise<WorkspaceHandle> {
    const { index } = this.#host;
    const there = index.get(record.id);
    const here = there ?? new WorkspaceHandle(record.id === 'demo' ? [] : [below, record.id], this, record);
    if (there === undefined) index.note(here);
    try {
      await here.use(() => Promise.resolve());
    } catch (error) {
      if (here.running === undefined) index.forget(here);
      throw error;
    }
    return here;
  }

  async load(handle: WorkspaceHandle): Promise<Workspace> {
    for (;;) {
      await this.slots.acquire();
      try {
        return await this.#host.load(handle);
      } catch (error) {
        this.slots.release();
        if (!(error instanceof StoreFullError) || error.scope !== 'process') throw error;
        if (!(await this.#freeOne())) throw new NoFreeSlot();
      }
    }
  }

  async unload(handle: WorkspaceHandle): Promise<boolean> {
    const workspace = handle.running;
    if (workspace === undefined || !handle.isIdle) return false;
    // If PostgreSQL rejects writes, acknowledged changes exist only in memory.
    if (!(await workspace.isFlushed())) return false;
    if (handle.running !== workspace || !handle.isIdle) return false;
    await handle
      .leave()
      .catch((error: Error) => this.#host.warn(`Cannot unload workspace ${handle.id} cleanly: ${error.message}`));
    return true;
  }

  async unloaded(handle: WorkspaceHandle): Promise<void> {
    this.#host.index.unregister(handle);
    this.slots.release();
    if (handle.memory !== undefined) await this.#options.placement.note(handle.memory);
  }

  /** Unloads unused workspaces one after another, because other work also needs the database. */
  async unloadIdle(): Promise<void> {
    const now = this.#host.realTime();
    for (const handle of this.#idle()) {
      const dueAt = handle.running?.record().dueAt ?? null;
      const isUnused = now - handle.life.used >= this.#options.idleMilliseconds;
      if (isUnused && (dueAt === null || dueAt - now > soonMilliseconds)) await this.unload(handle);
    }
  }

  async learn(handle: WorkspaceHandle): Promise<void> {
    const shared = await this.#options.placement.find(handle.id);
    if (shared === undefined || shared.life.changed === handle.life.changed) return;
    await this.#host.changeLife(handle, (life) => newerOf(life, shared.life));
  }

  async removeElsewhere(id: string): Promise<boolean> {
    const { placement, timer } = this.#options;
    if ((await placement.find(id)) === undefined) return false;
    await placement.remove(id);
    // No instance may still serve the workspace when the caller receives the response.
    for (let checks = 0; checks < mostRemovedChecks && (await placement.isThere(id)); checks += 1) {
      await new Promise<void>((resolve) => void timer(resolve, removedMilliseconds));
    }
    return true;
  }

  /** Unloads the least recently used idle workspace. Resolves with whether one was unloaded. */
  async #freeOne(): Promise<boolean> {
    for (const handle of this.#idle().toSorted((one, other) => one.life.used - other.life.used)) {
      if (await this.unload(handle)) return true;
    }
    return false;
  }

  #idle(): readonly WorkspaceHandle[] {
    return this.#host.index.all.filter(({ isIdle, place }) => isIdle && place.length > 0);
  }

  /** Closes a workspace whose store accepts no more writes, so that the next caller can load it. */
  #discard(handle: WorkspaceHandle, workspace: Workspace): void {
    const { index, follow } = this.#host;
    index.unregister(handle);
    handle.retire();
    workspace.cut();
    const closed = workspace.quiet().then(() => workspace.close());
    follow(
      closed.finally(() => this.slots.release()),
      `Cannot close workspace ${handle.id}`,
    );
  }

  async #look(): Promise<void> {
    const { placement } = this.#options;
    const { index, realTime } = this.#host;
    for (const { id } of index.all) this.get(id);
    await this.#try('the list', async () => {
      const waiting = [...(await placement.unattended(realTime()))];
      if (this.#looks % allEach === 0) {
        this.#count = await placement.count();
        waiting.push(...(await placement.neglected(realTime())));
      }
      this.#looks += 1;
      await Promise.all(waiting.map((one) => this.#try(one.id, () => this.#takeCareOf(one))));
    });
  }

  async #takeCareOf({ isRemoved, ...record }: UnattendedWorkspace): Promise<void> {
    const here = await this.adopt(record);
    if (isRemoved || isOver(record.life, this.#host.realTime())) await this.#host.remove(here);
  }

  /** Runs an action. The next scan retries a failure. It is not a failure if another instance was faster. */
  async #try(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (error instanceof OwnedElsewhere || error instanceof WorkspaceGone) return;
      const warning = `Cannot take over workspaces (${what}): ${(error as Error).message}`;
      // Scans run every second, so do not repeat the same warning.
      if (warning !== this.#lastWarning) this.#host.warn(warning);
      this.#lastWarning = warning;
    }
  }
}
