import type { Books } from '../assembly/books.ts';
import { newerOf } from '../assembly/life.ts';
import { newestAt } from '../runtime/activity.ts';
import { damaged } from '../store/lines.ts';
import type { Store } from '../store/store.ts';
import type { Keeper, KnownWorkspace } from './known.ts';
import type { KnownWorkspaces } from './known-workspaces.ts';
import { writeResting } from './resting.ts';
import { Room } from './room.ts';
import { resumed } from './seed.ts';
import { Wakes } from './wakes.ts';
import type { OpenedStore, SharedServices, Workspace } from './workspace.ts';

/** How long due work has to be away for a workspace to leave memory, and how soon a failed waking is tried again. */
const soonMilliseconds = 60_000;

/** How workspaces come into memory, and leave it (OP-211, OP-212). */
export class Residence implements Keeper {
  readonly #known: KnownWorkspaces;
  readonly #services: SharedServices;
  readonly #build: (opened: OpenedStore) => Workspace;
  readonly #wakes: Wakes;
  /** Places in memory. */
  readonly room: Room;
  #started = false;

  constructor(known: KnownWorkspaces, services: SharedServices, build: (opened: OpenedStore) => Workspace) {
    const { timer, realTime, storage, mostLoaded } = services;
    this.#known = known;
    this.#services = services;
    this.#build = build;
    // What is kept nowhere else cannot leave.
    const most = storage.reopens ? mostLoaded : Number.POSITIVE_INFINITY;
    this.room = new Room({ most, timer, free: () => this.#freeOne() });
    this.#wakes = new Wakes(timer, realTime, (id) => this.#wake(id));
  }

  /** Lets those run that are in memory, and brings back whose work falls due. */
  start(): void {
    this.#started = true;
    for (const workspace of this.#known.running) workspace.start();
    this.#wakes.start();
  }

  /** Brings none back by itself any more. */
  stop(): void {
    this.#wakes.stop();
  }

  /** Its work is due then, whether it is in memory or not. */
  wakeAt(id: string, at: number): void {
    this.#wakes.set(id, at);
  }

  async load(known: KnownWorkspace): Promise<Workspace> {
    const { id, place, memory } = known;
    const { storage, realTime } = this.#services;
    await this.room.take();
    let store: Store<Books> | undefined;
    try {
      store = await storage.open(place);
      const meta = store.get('meta', 'workspace');
      if (meta?.id !== id) throw damaged(place.join('/'), 'the record of the workspace');
      const life = memory === undefined ? meta.life : newerOf(memory.life, meta.life);
      const streams = memory?.streams;
      // Another process had it last: it is a start.
      const own = streams === undefined ? resumed(meta, realTime(), storage.clock && newestAt(store)) : meta;
      const workspace = this.#build({ place, store, meta: { ...own, life } });
      await (streams === undefined ? workspace.resume() : workspace.goOn(streams));
      this.#wakes.delete(id);
      this.#known.came(known, storage.placement && workspace.digests);
      if (this.#started) workspace.start();
      return workspace;
    } catch (error) {
      this.room.give();
      await store?.close();
      throw error;
    }
  }

  async left(known: KnownWorkspace): Promise<boolean> {
    const { id, place, memory } = known;
    const { storage } = this.#services;
    this.#known.left(known);
    this.room.give();
    if (storage.placement !== undefined) {
      this.#known.unregister(known);
      if (memory !== undefined) await storage.placement.note(memory);
      return true;
    }
    if (memory?.digests === undefined || place.length === 0) return false;
    const { life, digests, dueAt } = memory;
    if (dueAt !== null) this.#wakes.set(id, dueAt);
    if (!storage.reopens) return false;
    await writeResting(storage, place, { id, life, digests, dueAt }).catch((error: Error) => {
      // The books say everything: then the next start opens them.
      this.warn(`Cannot write the summary of workspace ${id}: ${error.message}`);
    });
    return false;
  }

  warn(message: string): void {
    this.#services.warn(message);
  }

  /** Lets those leave memory that nobody uses, one after the other: others use the disk too. */
  async leaveUnused(): Promise<void> {
    for (const known of this.#known.loaded) {
      if (this.#isUnused(known, this.#services.realTime())) await known.leave();
    }
  }

  /** Brings one back whose work falls due. */
  async #wake(id: string): Promise<void> {
    try {
      await this.#known.get(id)?.use(() => Promise.resolve());
    } catch (error) {
      this.warn(`Cannot load workspace ${id} for its scheduled tasks: ${(error as Error).message}`);
      if (this.#known.get(id)?.loadFailure !== undefined) return;
      this.#wakes.set(id, this.#services.realTime() + soonMilliseconds);
    }
  }

  /** Lets one leave memory that nobody needs, of these the one that was used least lately. */
  async #freeOne(): Promise<boolean> {
    const idle = this.#known.loaded.filter((known) => known.isIdle && known.place.length > 0);
    for (const known of idle.toSorted((one, other) => one.life.used - other.life.used)) {
      if (await known.leave()) return true;
    }
    return false;
  }

  /** Whether it can leave memory, and would not have to come back soon. */
  #isUnused({ place, isIdle, life, running }: KnownWorkspace, now: number): boolean {
    const { storage, idleMilliseconds } = this.#services;
    if (!storage.reopens || place.length === 0 || !isIdle || now - life.used < idleMilliseconds) return false;
    const dueAt = running?.known().dueAt ?? null;
    return dueAt === null || dueAt - now > soonMilliseconds;
  }
}
