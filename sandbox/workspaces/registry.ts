import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { components } from '../../generated/sandbox/types.ts';
import type { Books } from '../assembly/books.ts';
import { changedLife, isOver, type Life, type LifeChange, newerOf, newLife } from '../assembly/life.ts';
import type { WorkspacesMeasured } from '../runtime/observer.ts';
import { repeatedly } from '../runtime/timer.ts';
import { damaged } from '../store/lines.ts';
import { OwnedElsewhere } from '../store/owned-elsewhere.ts';
import type { Store } from '../store/store.ts';
import { Credentials, type SecretDigests } from './credentials.ts';
import { Gone, type Keeper, KnownWorkspace } from './known.ts';
import { type Asked, type Listed, pickListed } from './listed.ts';
import { type Fill, makeWorkspace } from './making.ts';
import type { Known } from './memory.ts';
import { readResting, writeResting } from './resting.ts';
import { Room } from './room.ts';
import { resumed } from './seed.ts';
import { Sharing } from './sharing.ts';
import { Wakes } from './wakes.ts';
import { type OpenedStore, type SharedServices, Workspace } from './workspace.ts';
import { type Start, type WorkspacesHost, workspacesFor } from './workspaces-for.ts';

type Made = components['schemas']['Workspace'];

const below = 'workspaces';
/** How often it is looked whether the life of any is over. */
const sweepMilliseconds = 60_000;
/** How often, and how many times, it is looked whether another instance has removed a workspace. */
const lookMilliseconds = 20;
const mostLooks = 200;
/** Stores that a start opens at the same time. */
const openedAtOnce = 16;

/** A new admin token. */
export function newAdminToken(): string {
  return `at_sandbox_${randomBytes(24).toString('hex')}`;
}

/** A new root of secrets. */
export function newRoot(): string {
  return randomBytes(32).toString('hex');
}

/** All workspaces of a sandbox, whose a call is (OP-63), and when one ends (OP-54). */
export class Workspaces {
  readonly #services: SharedServices;
  readonly #workspaces = new Map<string, KnownWorkspace>();
  /** Those of them that are in memory. */
  readonly #loaded = new Set<KnownWorkspace>();
  readonly #credentials = new Credentials<KnownWorkspace>();
  readonly #room: Room;
  readonly #wakes: Wakes;
  /** Deletions that wait for calls under way. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #sharing: Sharing | undefined;
  #making = 0;
  #started = false;
  #endSweeping = () => Promise.resolve();

  constructor(services: SharedServices) {
    const { timer, realTime, storage, mostLoaded } = services;
    // What is kept nowhere else cannot leave.
    const most = storage.reopens ? mostLoaded : Number.POSITIVE_INFINITY;
    this.#room = new Room({ most, timer, free: () => this.#freeOne() });
    this.#services = { ...services, whenIdle: () => this.#room.look() };
    this.#wakes = new Wakes(timer, realTime, (id) => this.#wake(id));
    this.#sharing =
      storage.placement &&
      new Sharing(storage.placement, {
        ...{ timer, realTime, warn: services.warn },
        adopt: (known) => this.adopt(known),
        remove: (known) => this.#remove(known),
        learn: (known) => this.#learnLife(known),
        get: (id) => this.get(id),
      });
  }

  get all(): readonly KnownWorkspace[] {
    return [...this.#workspaces.values()];
  }

  /** Those in memory. */
  get #running(): readonly Workspace[] {
    return [...this.#loaded].flatMap(({ running }) => running ?? []);
  }

  /** How they are now, for whoever runs the sandbox. */
  measured(): WorkspacesMeasured {
    const all = this.#running;
    return {
      count: this.#sharing?.count ?? this.#workspaces.size,
      loaded: all.length,
      limit: this.#services.most,
      gaveUp: all.filter(({ gaveUp }) => gaveUp).length,
      paused: all.filter(({ paused }) => paused).length,
      lease: this.#services.storage.lease?.(),
      dueLag: all.reduce((longest, { dueLag }) => Math.max(longest, dueLag), 0) / 1000,
    };
  }

  /** Moves a workspace in whose store is open. */
  add(opened: OpenedStore): Workspace {
    const workspace = this.#build(opened);
    this.#room.takeOver();
    this.#register(new KnownWorkspace(opened.place, this.#keeper, workspace), workspace.digests);
    return workspace;
  }

  /** The one of this id, as far as this process has it. */
  get(id: string): KnownWorkspace | undefined {
    return this.#workspaces.get(id);
  }

  /**
   * Takes a workspace into memory that this process shares with others. Rejects with `OwnedElsewhere` where another one
   * has it, and as any loading does.
   */
  async adopt(known: Known): Promise<KnownWorkspace> {
    const there = this.#workspaces.get(known.id);
    const here = there ?? new KnownWorkspace(known.id === 'demo' ? [] : [below, known.id], this.#keeper, known);
    if (there === undefined) this.#workspaces.set(known.id, here);
    try {
      await here.use(() => Promise.resolve());
    } catch (error) {
      if (here.running === undefined && this.#workspaces.get(known.id) === here) this.#workspaces.delete(known.id);
      throw error;
    }
    return here;
  }

  /** Lets go of one whose store keeps nothing any more, so that whoever is next can have it. */
  discard(known: KnownWorkspace): void {
    if (this.#workspaces.get(known.id) !== known) return;
    this.#unregister(known);
    const left = known
      .discard()
      .catch((error: Error) => this.#services.warn(`workspace ${known.id} could not be closed: ${error.message}`))
      .finally(() => {
        this.#room.give();
        this.#leaving.delete(left);
      });
    this.#leaving.add(left);
  }

  /** A workspace that no call leads to: it says what is refused where the demo workspace is elsewhere. */
  apart(opened: OpenedStore): Workspace {
    return this.#build(opened);
  }

  #build(opened: OpenedStore): Workspace {
    return new Workspace(opened, this.#services, (self) => workspacesFor(self, this.#host));
  }

  /** From now on calls with its credentials reach it. */
  #register(known: KnownWorkspace, digests: SecretDigests): void {
    this.#workspaces.set(known.id, known);
    if (known.running !== undefined) this.#loaded.add(known);
    this.#credentials.add(known, known.id, digests);
  }

  #unregister(known: KnownWorkspace): void {
    this.#workspaces.delete(known.id);
    this.#loaded.delete(known);
    this.#credentials.remove(known);
  }

  /** What workspaces may have done about each other. */
  readonly #host: WorkspacesHost = {
    most: () => this.#services.most,
    realTime: () => this.#services.realTime(),
    list: (ask) => this.#list(ask),
    change: (id, change) => this.#change(id, change),
    make: (start, life, fill) => this.#make(start, life, fill),
    remove: async (id) => {
      const here = this.#workspaces.get(id);
      if (here === undefined) return this.#removeElsewhere(id);
      try {
        await this.#remove(here);
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        return this.#removeElsewhere(id);
      }
      return true;
    },
  };

  /** How workspaces come into memory, and leave it (OP-211). */
  readonly #keeper: Keeper = {
    load: (known) => this.#load(known),
    left: (known) => this.#left(known),
    warn: (message) => this.#services.warn(message),
  };

  async #load(known: KnownWorkspace): Promise<Workspace> {
    const { id, place, memory } = known;
    const { storage, realTime } = this.#services;
    await this.#room.take();
    let store: Store<Books> | undefined;
    try {
      store = await storage.open(place);
      const meta = store.get('meta', 'workspace');
      if (meta?.id !== id) throw damaged(place.join('/'), 'the record of the workspace');
      const life = memory === undefined ? meta.life : newerOf(memory.life, meta.life);
      const streams = memory?.streams;
      // Another process had it last: it is a start.
      const own = streams === undefined ? resumed(meta, realTime()) : meta;
      const workspace = this.#build({ place, store, meta: { ...own, life } });
      await (streams === undefined ? workspace.resume() : workspace.goOn(streams));
      this.#wakes.delete(id);
      if (storage.placement !== undefined) this.#credentials.add(known, id, workspace.digests);
      this.#loaded.add(known);
      if (this.#started) workspace.start();
      return workspace;
    } catch (error) {
      this.#room.give();
      await store?.close();
      throw error;
    }
  }

  async #left(known: KnownWorkspace): Promise<boolean> {
    const { id, place, memory } = known;
    const { storage } = this.#services;
    this.#loaded.delete(known);
    this.#room.give();
    if (storage.placement !== undefined) {
      this.#unregister(known);
      if (memory !== undefined) await storage.placement.note(memory);
      return true;
    }
    if (memory?.digests === undefined || place.length === 0) return false;
    const { life, digests, dueAt } = memory;
    if (dueAt !== null) this.#wakes.set(id, dueAt);
    if (!storage.reopens) return false;
    await writeResting(storage, place, { id, life, digests, dueAt }).catch((error: Error) => {
      // The books say everything: then the next start opens them.
      this.#services.warn(`what is to be known of workspace ${id} was not written down: ${error.message}`);
    });
    return false;
  }

  /** Brings one back whose work falls due. */
  async #wake(id: string): Promise<void> {
    try {
      await this.#workspaces.get(id)?.use(() => Promise.resolve());
    } catch (error) {
      this.#services.warn(`workspace ${id}, whose work is due, could not be brought back: ${(error as Error).message}`);
      this.#wakes.set(id, this.#services.realTime() + sweepMilliseconds);
    }
  }

  /** Lets one leave memory that nobody needs, of these the one that was used least lately. */
  async #freeOne(): Promise<boolean> {
    const idle = [...this.#loaded].filter((known) => known.isIdle && known.place.length > 0);
    for (const known of idle.toSorted((one, other) => one.life.used - other.life.used)) {
      if (await known.leave()) return true;
    }
    return false;
  }

  /** Finds the workspaces that were stored, and ends what was being made or deleted when the process died. */
  async reopen(): Promise<void> {
    const { storage } = this.#services;
    const names = await (storage.placement?.unenrolled() ?? storage.list([below]));
    const waiting = names.values();
    const openNext = async () => {
      for (const name of waiting) {
        await this.#reopenAt(name).catch((error) => {
          // Another instance sees to it, or is making it at this moment.
          if (storage.placement === undefined || !(error instanceof OwnedElsewhere)) throw error;
        });
      }
    };
    const opened = await Promise.allSettled(Array.from({ length: openedAtOnce }, openNext));
    for (const result of opened) if (result.status === 'rejected') throw result.reason;
  }

  /** Opens what is under a name, unless it is known without. What is not the workspace of this name is left as it is. */
  async #reopenAt(name: string): Promise<void> {
    const { storage, warn, realTime } = this.#services;
    const place = [below, name];
    const resting = storage.placement ? undefined : await readResting(storage, place);
    if (resting?.id === name) {
      this.#register(new KnownWorkspace(place, this.#keeper, resting), resting.digests);
      if (resting.dueAt !== null) this.#wakes.set(name, resting.dueAt);
      return;
    }
    const store = (await storage.has(place)) ? await storage.open(place) : undefined;
    const meta = store?.get('meta', 'workspace');
    if (store !== undefined && meta?.id === name && !meta.deleted) {
      const workspace = this.add({ place, store, meta: resumed(meta, realTime()) });
      await workspace.resume();
      await storage.placement?.enrol(workspace.known());
      if (this.#room.isOver || storage.placement) await this.#workspaces.get(name)?.leave();
      return;
    }
    await store?.close();
    if (meta?.id === name) return storage.remove(place);
    const [holds, then] =
      meta === undefined
        ? ['no workspace', 'remove it where nobody needs it']
        : [`the workspace ${meta.id}`, 'a copy is opened only under that name'];
    warn(`${below}/${name} holds ${holds}: it is left as it is; ${then}`);
  }

  /** Lets due work run by itself, and workspaces go when their life is over. */
  start(): void {
    this.#started = true;
    for (const workspace of this.#running) workspace.start();
    this.#wakes.start();
    this.#sharing?.start();
    this.#endSweeping = repeatedly(
      this.#services.timer,
      () => this.#sweep().then(() => this.#leaveUnused()),
      sweepMilliseconds,
    );
  }

  /** Whose call this is, by what its head carries. */
  ofHead({ headers }: IncomingMessage): KnownWorkspace | undefined {
    return this.#credentials.ofHeaders(headers);
  }

  /** Whether a workspace makes this call to itself. */
  isOwnCall({ headers }: IncomingMessage): boolean {
    return this.#credentials.ofOwnCall(headers) !== undefined;
  }

  /** Whose credential this is. */
  ofCredential(credential: string): KnownWorkspace | undefined {
    return this.#credentials.ofCredential(credential);
  }

  /** Ends all waiting, and due work after the pieces that are running. Calls are still served. */
  async quiet(): Promise<void> {
    this.#wakes.stop();
    await Promise.all([this.#endSweeping(), this.#sharing?.stop()]);
    await Promise.all(this.#running.map((workspace) => workspace.quiet()));
  }

  /** Breaks off all outgoing calls, and makes none any more. What they were to tell is told after the next start. */
  cut(): void {
    for (const workspace of this.#running) workspace.cut();
  }

  /** Stores everything, after deletions under way have ended. */
  async close(): Promise<void> {
    this.#wakes.stop();
    await Promise.all(this.#leaving);
    await Promise.all(this.all.map((known) => known.end()));
  }

  /**
   * Makes a workspace with secrets of its own and lets it run; undefined when there are as many as there can be.
   *
   * @param fill fills its books; left out, they are seeded
   */
  async #make(
    start: Start,
    { expiresIn, name }: Parameters<WorkspacesHost['make']>[1],
    fill?: Fill,
  ): Promise<Made | undefined> {
    // Those whose life is over make room.
    if (await this.#isFull()) await this.#sweep();
    if (await this.#isFull()) return undefined;
    this.#making += 1;
    try {
      const id = `ws_${randomBytes(8).toString('hex')}`;
      const life = newLife(this.#services.realTime(), expiresIn, name);
      const meta = { ...start, id, root: newRoot(), adminToken: newAdminToken(), life };
      await this.#room.take();
      const place = [below, id];
      const { storage, warn } = this.#services;
      const build = (opened: OpenedStore) => this.#build(opened);
      const enrol = async (whole: Workspace) => storage.placement?.enrol(whole.known());
      const maker = { storage, warn, build, enrol };
      const workspace = await makeWorkspace(maker, place, meta, fill).catch((error) => {
        this.#room.give();
        throw error;
      });
      const known = new KnownWorkspace(place, this.#keeper, workspace);
      this.#register(known, workspace.digests);
      workspace.start();
      const shown = workspace.parties.workspace.shown();
      // Whoever gets its first call has it from then on.
      if (this.#sharing !== undefined) void known.leave();
      return shown;
    } finally {
      this.#making -= 1;
    }
  }

  async #isFull(): Promise<boolean> {
    const { storage, most } = this.#services;
    return ((await storage.placement?.count()) ?? this.#workspaces.size) + this.#making >= most;
  }

  async #list(ask: Asked): Promise<readonly Listed[]> {
    const known = await this.#services.storage.placement?.list(ask);
    if (known === undefined) return pickListed(this.all, ask);
    return known.map(({ id, life }) => {
      const here = this.#workspaces.get(id);
      return { id, life: here === undefined ? life : newerOf(here.life, life) };
    });
  }

  /** Changes name or end of one, wherever it is; undefined where there is none (OP-227). */
  async #change(id: string, change: LifeChange): Promise<Listed | undefined> {
    const { storage, realTime } = this.#services;
    const changed = (life: Life) => changedLife(life, change, realTime());
    if (storage.placement !== undefined) return storage.placement.changeLife(id, changed);
    const here = this.#workspaces.get(id);
    return here && this.#changeLife(here, changed);
  }

  /** Changes the life of one that this process has; undefined where it is to go. */
  async #changeLife(known: KnownWorkspace, change: (life: Life) => Life): Promise<Workspace | undefined> {
    try {
      return await known.use(async (running) => {
        const done = running.begin();
        await running.changeLife(change).finally(done);
        return running;
      });
    } catch (error) {
      if (error instanceof Gone) return undefined;
      throw error;
    }
  }

  /** Learns how long one lives that others may have given another life. */
  async #learnLife(known: KnownWorkspace): Promise<void> {
    const shared = await this.#services.storage.placement?.known(known.id);
    if (shared === undefined || shared.life.changed === known.life.changed) return;
    await this.#changeLife(known, (life) => newerOf(life, shared.life));
  }

  /** Removes one that this process does not have: whoever has it hears of it, which is waited for. */
  async #removeElsewhere(id: string): Promise<boolean> {
    const { placement } = this.#services.storage;
    const known = await placement?.known(id);
    if (placement === undefined || known === undefined) return false;
    await placement.remove(id);
    // Whoever asked may rely on it that nothing of it is served any more.
    for (let looks = 0; looks < mostLooks && (await placement.isThere(id)); looks += 1) {
      await new Promise<void>((resolve) => void this.#services.timer(resolve, lookMilliseconds));
    }
    return true;
  }

  /** Removes workspaces whose life is over, and writes down uses. */
  async #sweep(): Promise<void> {
    const now = this.#services.realTime();
    await Promise.all(
      this.all.map(async (known) => {
        try {
          if (this.#sharing !== undefined && known.running?.gaveUp) this.discard(known);
          else if (!isOver(known.life, now)) await this.#noteUse(known);
          else await this.#removeUnless(known, now);
        } catch (error) {
          this.#services.warn(`the life of workspace ${known.id}: ${(error as Error).message}`);
        }
      }),
    );
  }

  /** Removes one whose life is over, unless another instance was told that it is not. */
  async #removeUnless(known: KnownWorkspace, now: number): Promise<void> {
    await this.#learnLife(known);
    if (isOver(known.life, now)) await this.#remove(known);
  }

  /** Lets those leave memory that nobody uses, one after the other: others use the disk too. */
  async #leaveUnused(): Promise<void> {
    for (const known of [...this.#loaded]) {
      if (this.#isUnused(known, this.#services.realTime())) await known.leave();
    }
  }

  /** Writes down when one was used last, where others read it too. */
  async #noteUse({ running }: KnownWorkspace): Promise<void> {
    if (running !== undefined && (await running.noteUse())) {
      await this.#services.storage.placement?.note(running.known());
    }
  }

  /** Whether it can leave memory, and would not have to come back soon. */
  #isUnused({ place, isIdle, life, running }: KnownWorkspace, now: number): boolean {
    const { storage, idleMilliseconds } = this.#services;
    if (!storage.reopens || place.length === 0 || !isIdle || now - life.used < idleMilliseconds) return false;
    const dueAt = running?.known().dueAt ?? null;
    return dueAt === null || dueAt - now > sweepMilliseconds;
  }

  /** Its credentials open nothing from now on; its data goes when its last call has ended. Rejects with `Gone`. */
  async #remove(known: KnownWorkspace): Promise<void> {
    const workspace = await known.use(async (running) => {
      const done = running.begin();
      try {
        await running.markDeleted();
        await this.#services.storage.placement?.remove(known.id);
        // Whoever asked at the same time was quicker.
        if (this.#workspaces.get(known.id) !== known) return undefined;
        this.#unregister(known);
        return known.retire();
      } finally {
        done();
      }
    });
    if (workspace === undefined) return;
    const left = this.#release(workspace)
      .catch((error: Error) => this.#services.warn(`workspace ${workspace.id} could not be removed: ${error.message}`))
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  async #release(workspace: Workspace): Promise<void> {
    await workspace.quiet();
    await workspace.idle();
    await workspace.close();
    this.#room.give();
    await this.#services.storage.remove(workspace.place);
  }
}
