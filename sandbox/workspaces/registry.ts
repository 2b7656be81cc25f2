import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { components } from '../../generated/sandbox/types.ts';
import type { KnownKeys } from '../assembly/certificates.ts';
import { newerOf, newLife } from '../assembly/life.ts';
import type { LimitReached } from '../control/control.ts';
import { repeatedly } from '../runtime/clock.ts';
import type { WorkspacesMeasured } from '../runtime/observer.ts';
import type { Cluster, Sharing } from './cluster.ts';
import { Expiry } from './expiry.ts';
import { bytesOfWorkspace } from './process-memory.ts';
import type { OpenedStore, SharedServices } from './services.ts';
import { below } from './storage.ts';
import { StoredWorkspaces } from './stored-workspaces.ts';
import { Workspace } from './workspace.ts';
import { type Loader, WorkspaceHandle } from './workspace-handle.ts';
import { WorkspaceIndex } from './workspace-index.ts';
import { type ListQuery, selectSummaries, type WorkspaceSummary } from './workspace-record.ts';
import {
  type Fill,
  makeWorkspace,
  type NewLife,
  partnersFor,
  type Start,
  type WorkspacesHost,
  workspacesFor,
} from './workspaces-for.ts';

type Made = components['schemas']['Workspace'];

/** The subject of the error message for a creator's limit. */
const ownWorkspaces = 'workspaces created with the token of a workspace';

/** The interval between checks for expired workspaces, in milliseconds. */
const sweepMilliseconds = 60_000;

/** Returns a new random admin token. */
export function newAdminToken(): string {
  return `at_sandbox_${randomBytes(24).toString('hex')}`;
}

/** Returns a new random root of secrets. */
export function newRoot(): string {
  return randomBytes(32).toString('hex');
}

/** All workspaces of a sandbox. It creates, finds and lists them, and closes them when the process ends. */
export class Workspaces {
  readonly #services: SharedServices;
  readonly #index = new WorkspaceIndex();
  readonly #stored: StoredWorkspaces;
  readonly #expiry: Expiry;
  readonly #sharing: Sharing | undefined;
  /** The creators of the workspaces that are being created. */
  readonly #making: string[] = [];
  #endSweeping = () => Promise.resolve();

  /** @param cluster the instances with which this process shares its workspaces, if any */
  constructor(services: SharedServices, cluster?: Cluster) {
    const { realTime, warn } = services;
    const index = this.#index;
    this.#stored = new StoredWorkspaces({ index, services, build: this.apart, records: cluster?.records });
    this.#sharing = cluster?.join({
      index,
      realTime,
      warn,
      load: (handle) => this.#stored.load(handle),
      remove: (handle) => this.#expiry.remove(handle),
      changeLife: (handle, change) => this.#expiry.changeLife(handle, change),
      follow: (ending, what) => this.#expiry.follow(ending, what),
    });
    const slots = this.#sharing?.slots;
    this.#services = slots === undefined ? services : { ...services, whenIdle: () => slots.recheck() };
    this.#expiry = new Expiry(index, services, this.#sharing);
  }

  get all(): readonly WorkspaceHandle[] {
    return this.#index.all;
  }

  /** Returns the current state of the workspaces, for the operator of the sandbox. */
  measured(): WorkspacesMeasured {
    const all = this.#index.running;
    return {
      count: this.#index.size,
      loaded: all.length,
      limit: this.#services.most,
      gaveUp: all.filter(({ gaveUp }) => gaveUp).length,
      loadFailed: this.#index.all.filter(({ loadFailure }) => loadFailure !== undefined).length,
      paused: all.filter(({ paused }) => paused).length,
      dueLag: all.reduce((longest, { parties }) => Math.max(longest, parties.runner.lag), 0) / 1000,
      ...this.#services.storage.measured?.(),
      ...this.#sharing?.measured(),
    };
  }

  /** Adds a workspace whose store is open. */
  add(opened: OpenedStore): Workspace {
    const workspace = this.apart(opened);
    this.#sharing?.slots.occupy();
    this.#register(workspace);
    return workspace;
  }

  /** Returns the workspace with this id, if this process has it. */
  get(id: string): WorkspaceHandle | undefined {
    return this.#index.get(id);
  }

  /** Creates a workspace that is not registered. It can refuse calls when the demo workspace is on another instance. */
  readonly apart = (opened: OpenedStore): Workspace =>
    new Workspace(opened, this.#services, (self) => ({
      workspaces: workspacesFor(self, this.#host),
      partners: partnersFor(self, this.#host),
    }));

  /** The operations that workspaces may perform on each other. */
  readonly #host: WorkspacesHost = {
    realTime: () => this.#services.realTime(),
    list: (ask) => this.#list(ask),
    figures: (ask) => this.#figures(ask),
    knownKeys: () => this.#knownKeys(),
    within: (id, look) => this.#within(id, look),
    change: (id, change) => this.#expiry.change(id, change),
    make: (start, life, fill, bytes) => this.#makeWithinLimits(start, life, fill, bytes),
    remove: (id) => this.#expiry.removeById(id),
  };

  /** Finds the stored workspaces. Removes those that were being created or deleted when the process died. */
  reopen(): Promise<void> {
    return this.#stored.reopen(this.#loader);
  }

  /** Starts due work and the deletion of expired workspaces. */
  start(): void {
    this.#stored.start();
    this.#sharing?.start();
    const sweep = () => this.#expiry.sweep().then(() => this.#sharing?.unloadIdle());
    this.#endSweeping = repeatedly(this.#services.timer, sweep, sweepMilliseconds);
  }

  get #loader(): Loader {
    return this.#sharing ?? this.#stored;
  }

  #register(workspace: Workspace): WorkspaceHandle {
    const handle = new WorkspaceHandle(workspace.place, this.#loader, workspace);
    this.#index.register(handle, workspace.identity());
    return handle;
  }

  /** Returns the workspace of a call, identified by its headers. */
  findByHeaders(request: IncomingMessage): WorkspaceHandle | undefined {
    return this.#index.findByHeaders(request);
  }

  /** Returns the workspace to which a credential belongs. */
  findByCredential(credential: string): WorkspaceHandle | undefined {
    return this.#index.findByCredential(credential);
  }

  /** Returns whether a workspace makes this call to itself. */
  isOwnCall(request: IncomingMessage): boolean {
    return this.#index.isOwnCall(request);
  }

  /** Ends all waiting calls, and stops due work after the running jobs. Calls are still served. */
  async quiet(): Promise<void> {
    await Promise.all([this.#endSweeping(), this.#sharing?.stop()]);
    await Promise.all(this.#index.running.map((workspace) => workspace.quiet()));
  }

  /** Aborts all outgoing calls and makes no new ones. They are repeated after the next start. */
  cut(): void {
    for (const workspace of this.#index.running) workspace.cut();
  }

  /** Unloads all workspaces, after deletions in progress have ended. */
  async close(): Promise<void> {
    await this.#expiry.ended();
    await Promise.all(this.all.map((handle) => handle.end()));
  }

  /** Creates a workspace unless the sandbox or its creator has reached a limit (OP-63, OP-230). */
  async #makeWithinLimits(start: Start, life: NewLife, fill?: Fill, bytes = 0): Promise<Made | LimitReached> {
    const { createdBy } = life;
    this.#services.memory.of(createdBy).refuseBeyond(bytesOfWorkspace + bytes);
    let reached = await this.#reserve(createdBy);
    if (reached !== undefined) {
      // Remove expired workspaces to make space, and try again.
      await this.#expiry.sweep();
      reached = await this.#reserve(createdBy);
    }
    if (reached !== undefined) return reached;
    return this.#make(start, life, fill).finally(() => this.#making.splice(this.#making.indexOf(createdBy), 1));
  }

  /** Creates a workspace with its own secrets and starts it. If `fill` is omitted, its collections are seeded. */
  async #make(start: Start, { expiresIn, name, createdBy }: NewLife, fill?: Fill): Promise<Made> {
    const id = `ws_${randomBytes(8).toString('hex')}`;
    const { storage, warn, realTime } = this.#services;
    const life = newLife(realTime(), expiresIn, { name, createdBy });
    const meta = { ...start, id, root: newRoot(), adminToken: newAdminToken(), life };
    await this.#sharing?.slots.acquire();
    const enrol = async (whole: Workspace) => this.#sharing?.records.enrol(whole.record());
    const maker = { storage, warn, build: this.apart, enrol };
    const workspace = await makeWorkspace(maker, [below, id], meta, fill).catch((error) => {
      this.#sharing?.slots.release();
      throw error;
    });
    const handle = this.#register(workspace);
    workspace.start();
    const description = workspace.parties.workspace.describe();
    // The instance that receives the first call will own it.
    void this.#sharing?.unload(handle);
    return description;
  }

  /** Counts another workspace that this creator is creating. Returns the limit that forbids the creation, if any. */
  async #reserve(createdBy: string): Promise<LimitReached | undefined> {
    const { most, mostCreated } = this.#services;
    const records = this.#sharing?.records;
    const shared = records && (await Promise.all([records.count(), records.count(createdBy)]));
    // Do not await anything from here on, so that concurrent requests count each other.
    const [all, own] = shared ?? [this.#index.size, this.#index.countCreatedBy(createdBy)];
    if (all + this.#making.length >= most) return { kind: 'limit_reached', limit: most, what: 'workspaces' };
    const making = this.#making.filter((creator) => creator === createdBy).length;
    if (createdBy !== 'demo' && own + making >= mostCreated)
      return { kind: 'limit_reached', limit: mostCreated, what: ownWorkspaces };
    this.#making.push(createdBy);
    return undefined;
  }

  async #list(ask: ListQuery): Promise<readonly WorkspaceSummary[]> {
    const records = await this.#sharing?.records.list(ask);
    if (records === undefined) return selectSummaries(this.all, ask);
    return records.map(({ id, life, figures }) => {
      const here = this.get(id);
      return { id, life: here === undefined ? life : newerOf(here.life, life), figures };
    });
  }

  /**
   * Returns the workspaces of a list with their figures. If a workspace is loaded here, its figures are counted up to
   * now. Otherwise, its record supplies them.
   */
  async #figures(ask: ListQuery): Promise<readonly WorkspaceSummary[]> {
    const rows: WorkspaceSummary[] = [];
    for (const { id, life, figures } of await this.#list(ask)) {
      const counted = await this.get(id)?.running?.listed();
      rows.push({ id, life, figures: counted?.figures ?? figures });
    }
    return rows;
  }

  async #knownKeys(): Promise<KnownKeys> {
    const { namesByKey, thumbprintOf } = await import('../certification/trusted-keys.ts');
    const demo = this.get('demo')?.running?.certificates.trustedKeys();
    const trusted = demo ?? (await this.#sharing?.records.demo())?.trustedKeys ?? [];
    return { own: await thumbprintOf(await this.#services.signingKey()), trusted: await namesByKey(trusted) };
  }

  async #within<T>(id: string, look: (workspace: Workspace) => Promise<T>): Promise<T | undefined> {
    return this.get(id)?.use((workspace) => workspace.usage.during(() => look(workspace)));
  }
}
