import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { components } from '../../generated/sandbox/types.ts';
import { newerOf, newLife } from '../assembly/life.ts';
import type { LimitReached } from '../control/control.ts';
import type { WorkspacesMeasured } from '../runtime/observer.ts';
import { repeatedly } from '../runtime/timer.ts';
import { Expiry } from './expiry.ts';
import { LoadedWorkspaces } from './loaded-workspaces.ts';
import { bytesOfWorkspace } from './process-memory.ts';
import { reopenStored } from './reopening.ts';
import type { OpenedStore, SharedServices } from './services.ts';
import { Sharing } from './sharing.ts';
import { below } from './storage.ts';
import { Workspace } from './workspace.ts';
import { WorkspaceHandle } from './workspace-handle.ts';
import { WorkspaceIndex } from './workspace-index.ts';
import { type ListQuery, selectSummaries, type WorkspaceRecord, type WorkspaceSummary } from './workspace-record.ts';
import {
  type Fill,
  makeWorkspace,
  type NewLife,
  type Start,
  type WorkspacesHost,
  workspacesFor,
} from './workspaces-for.ts';

type Made = components['schemas']['Workspace'];

/** What a creator has too many of. */
const ownWorkspaces = 'workspaces created with the token of a workspace';

/** How often to check for expired workspaces. */
const sweepMilliseconds = 60_000;

/** A new admin token. */
export function newAdminToken(): string {
  return `at_sandbox_${randomBytes(24).toString('hex')}`;
}

/** A new root of secrets. */
export function newRoot(): string {
  return randomBytes(32).toString('hex');
}

/** All workspaces of a sandbox: made, found, listed, ended with the process. */
export class Workspaces {
  readonly #services: SharedServices;
  readonly #index = new WorkspaceIndex();
  readonly #loaded: LoadedWorkspaces;
  readonly #expiry: Expiry;
  readonly #sharing: Sharing | undefined;
  /** Who creates those that are being made. */
  readonly #making: string[] = [];
  #endSweeping = () => Promise.resolve();

  constructor(services: SharedServices) {
    const isShared = services.storage.placement !== undefined;
    this.#services = { ...services, whenIdle: isShared ? () => this.#loaded.slots.recheck() : undefined };
    this.#loaded = new LoadedWorkspaces(this.#index, services, (opened) => this.#build(opened));
    this.#expiry = new Expiry(this.#index, this.#loaded.slots, services);
    const { storage, timer, realTime, warn } = services;
    this.#sharing =
      storage.placement &&
      new Sharing(storage.placement, {
        ...{ timer, realTime, warn },
        adopt: (record) => this.adopt(record),
        remove: (handle) => this.#expiry.remove(handle),
        learn: (handle) => this.#expiry.learn(handle),
        get: (id) => this.get(id),
      });
  }

  get all(): readonly WorkspaceHandle[] {
    return this.#index.all;
  }

  /** Their current state, for the operator of the sandbox. */
  measured(): WorkspacesMeasured {
    const all = this.#index.running;
    return {
      count: this.#sharing?.count ?? this.#index.size,
      loaded: all.length,
      limit: this.#services.most,
      // One that is shared is opened again by its next call.
      gaveUp: this.#sharing === undefined ? all.filter(({ gaveUp }) => gaveUp).length : 0,
      loadFailed: this.#index.all.filter(({ loadFailure }) => loadFailure !== undefined).length,
      paused: all.filter(({ paused }) => paused).length,
      lease: this.#services.storage.lease?.(),
      clockSkew: this.#services.storage.clock?.skew(),
      dueLag: all.reduce((longest, { dueLag }) => Math.max(longest, dueLag), 0) / 1000,
    };
  }

  /** Moves a workspace in whose store is open. */
  add(opened: OpenedStore): Workspace {
    const workspace = this.#build(opened);
    this.#loaded.slots.occupy();
    this.#index.register(new WorkspaceHandle(opened.place, this.#loaded, workspace), workspace);
    return workspace;
  }

  /** The one of this id, as far as this process has it. */
  get(id: string): WorkspaceHandle | undefined {
    return this.#index.get(id);
  }

  /**
   * Takes a workspace into memory that this process shares with others. Rejects with `OwnedElsewhere` where another one
   * has it, and as any loading does.
   */
  async adopt(record: WorkspaceRecord): Promise<WorkspaceHandle> {
    const there = this.get(record.id);
    const here = there ?? new WorkspaceHandle(record.id === 'demo' ? [] : [below, record.id], this.#loaded, record);
    if (there === undefined) this.#index.note(here);
    try {
      await here.use(() => Promise.resolve());
    } catch (error) {
      if (here.running === undefined) this.#index.forget(here);
      throw error;
    }
    return here;
  }

  /** Releases a workspace whose store accepts no more writes, so that the next caller can open it. */
  discard(handle: WorkspaceHandle): void {
    this.#expiry.discard(handle);
  }

  /** A workspace that no call leads to: it says what is refused where the demo workspace is elsewhere. */
  apart(opened: OpenedStore): Workspace {
    return this.#build(opened);
  }

  #build(opened: OpenedStore): Workspace {
    return new Workspace(opened, this.#services, (self) => workspacesFor(self, this.#host));
  }

  /** What workspaces may have done about each other. */
  readonly #host: WorkspacesHost = {
    realTime: () => this.#services.realTime(),
    list: (ask) => this.#list(ask),
    change: (id, change) => this.#expiry.change(id, change),
    make: (start, life, fill, bytes) => this.#make(start, life, fill, bytes),
    remove: (id) => this.#expiry.removeById(id),
  };

  /** Finds the workspaces that were stored, and ends what was being made or deleted when the process died. */
  reopen(): Promise<void> {
    const [services, index, loaded] = [this.#services, this.#index, this.#loaded];
    return reopenStored({ services, index, loaded, add: (opened) => this.add(opened) });
  }

  /** Starts due work and the deletion of expired workspaces. */
  start(): void {
    this.#loaded.start();
    this.#sharing?.start();
    const sweep = () => this.#expiry.sweep().then(() => this.#loaded.unloadIdle());
    this.#endSweeping = repeatedly(this.#services.timer, sweep, sweepMilliseconds);
  }

  /** Whose call this is, by what its head carries. */
  findByHeaders(request: IncomingMessage): WorkspaceHandle | undefined {
    return this.#index.findByHeaders(request);
  }

  /** Whether a workspace makes this call to itself. */
  isOwnCall(request: IncomingMessage): boolean {
    return this.#index.isOwnCall(request);
  }

  /** Whose credential this is. */
  findByCredential(credential: string): WorkspaceHandle | undefined {
    return this.#index.findByCredential(credential);
  }

  /** Ends all waiting, and due work after the pieces that are running. Calls are still served. */
  async quiet(): Promise<void> {
    await Promise.all([this.#endSweeping(), this.#sharing?.stop()]);
    await Promise.all(this.#index.running.map((workspace) => workspace.quiet()));
  }

  /** Aborts all outgoing calls and makes no more. They are repeated after the next start. */
  cut(): void {
    for (const workspace of this.#index.running) workspace.cut();
  }

  /** Stores everything, after deletions in progress have ended. */
  async close(): Promise<void> {
    await this.#expiry.ended();
    await Promise.all(this.all.map((handle) => handle.end()));
  }

  /**
   * Makes a workspace with secrets of its own and lets it run, unless there are as many as there can be, or as its creator
   * may have (OP-63, OP-230).
   *
   * @param fill fills its collections; left out, they are seeded
   * @param bytes how many bytes it is filled with; those that it cannot know are counted as it is filled
   */
  async #make(
    start: Start,
    { expiresIn, name, createdBy }: NewLife,
    fill?: Fill,
    bytes = 0,
  ): Promise<Made | LimitReached> {
    this.#services.memory.of(createdBy).refuseBeyond(bytesOfWorkspace + bytes);
    let reached = await this.#reserve(createdBy);
    if (reached !== undefined) {
      // Removes expired workspaces first, to free their places.
      await this.#expiry.sweep();
      reached = await this.#reserve(createdBy);
    }
    if (reached !== undefined) return reached;
    try {
      const id = `ws_${randomBytes(8).toString('hex')}`;
      const { storage, warn, realTime } = this.#services;
      const meta = {
        ...{ ...start, id, root: newRoot(), adminToken: newAdminToken() },
        life: newLife(realTime(), expiresIn, { name, createdBy }),
      };
      const { slots } = this.#loaded;
      await slots.acquire();
      const place = [below, id];
      const build = (opened: OpenedStore) => this.#build(opened);
      const enrol = async (whole: Workspace) => storage.placement?.enrol(whole.record());
      const workspace = await makeWorkspace({ storage, warn, build, enrol }, place, meta, fill).catch((error) => {
        slots.release();
        throw error;
      });
      const handle = new WorkspaceHandle(place, this.#loaded, workspace);
      this.#index.register(handle, workspace);
      workspace.start();
      const description = workspace.parties.workspace.describe();
      // The instance that gets its first call owns it from then on.
      if (this.#sharing !== undefined) void handle.unload();
      return description;
    } finally {
      this.#making.splice(this.#making.indexOf(createdBy), 1);
    }
  }

  /** Counts another workspace of this creator among those that are being made; returns the limit that forbids it, if any. */
  async #reserve(createdBy: string): Promise<LimitReached | undefined> {
    const { storage, most, mostCreated } = this.#services;
    const { placement } = storage;
    const shared = placement && (await Promise.all([placement.count(), placement.countCreatedBy(createdBy)]));
    // Nothing is waited for from here on, so that of two that ask at the same time each counts the other.
    const [all, own] = shared ?? [this.#index.size, this.#index.countCreatedBy(createdBy)];
    if (all + this.#making.length >= most) return { kind: 'limit_reached', limit: most, what: 'workspaces' };
    const making = this.#making.filter((creator) => creator === createdBy).length;
    if (createdBy !== 'demo' && own + making >= mostCreated)
      return { kind: 'limit_reached', limit: mostCreated, what: ownWorkspaces };
    this.#making.push(createdBy);
    return undefined;
  }

  async #list(ask: ListQuery): Promise<readonly WorkspaceSummary[]> {
    const records = await this.#services.storage.placement?.list(ask);
    if (records === undefined) return selectSummaries(this.all, ask);
    return records.map(({ id, life }) => {
      const here = this.get(id);
      return { id, life: here === undefined ? life : newerOf(here.life, life) };
    });
  }
}
