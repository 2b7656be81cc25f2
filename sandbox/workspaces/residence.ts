import { newestAt } from '../activity-log/activity.ts';
import type { CallLog } from '../activity-log/call-log.ts';
import type { Books } from '../assembly/books.ts';
import { newerOf } from '../assembly/life.ts';
import { damaged } from '../store/lines.ts';
import type { Store } from '../store/store.ts';
import type { Keeper, KnownWorkspace } from './known.ts';
import type { KnownWorkspaces } from './known-workspaces.ts';
import { writeLastKnown } from './last-known.ts';
import { Room } from './room.ts';
import { resumed } from './seed.ts';
import type { OpenedStore, SharedServices, Workspace } from './workspace.ts';

/** A workspace leaves memory only if its next due work is further away than this. */
const soonMilliseconds = 60_000;

/**
 * Loads workspaces into memory and unloads them. Only workspaces that several instances share are unloaded: to unload one is to
 * release the claim on it, so that any instance can load it again (OP-211, OP-212).
 */
export class Residence implements Keeper {
  readonly #known: KnownWorkspaces;
  readonly #services: SharedServices;
  readonly #build: (opened: OpenedStore) => Workspace;
  /** Places in memory. */
  readonly room: Room;
  #started = false;

  constructor(known: KnownWorkspaces, services: SharedServices, build: (opened: OpenedStore) => Workspace) {
    const { timer, storage, mostLoaded } = services;
    this.#known = known;
    this.#services = services;
    this.#build = build;
    const most = storage.placement === undefined ? Number.POSITIVE_INFINITY : mostLoaded;
    this.room = new Room({ most, timer, free: () => this.#freeOne() });
  }

  /** Starts the due work of the workspaces in memory, and of those loaded later. */
  start(): void {
    this.#started = true;
    for (const workspace of this.#known.running) workspace.start();
  }

  async load(known: KnownWorkspace): Promise<Workspace> {
    const { id, place, memory } = known;
    const { storage, realTime } = this.#services;
    await this.room.take();
    let store: Store<Books> | undefined;
    let calls: CallLog | undefined;
    try {
      store = await storage.open(place);
      const meta = store.get('meta', 'workspace');
      if (meta?.id !== id) throw damaged(place.join('/'), 'the record of the workspace');
      calls = await storage.openCalls(place, store);
      const life = memory === undefined ? meta.life : newerOf(memory.life, meta.life);
      const own = resumed(meta, realTime(), storage.clock && newestAt(store));
      const workspace = this.#build({ place, store, calls, meta: { ...own, life } });
      await workspace.resume();
      this.#known.came(known, storage.placement && workspace.digests);
      if (this.#started) workspace.start();
      return workspace;
    } catch (error) {
      this.room.give();
      await calls?.close();
      await store?.close();
      throw error;
    }
  }

  async left(known: KnownWorkspace): Promise<void> {
    this.#known.left(known);
    this.room.give();
    const { storage } = this.#services;
    const { place, memory } = known;
    if (storage.placement !== undefined) {
      this.#known.unregister(known);
      if (memory !== undefined) await storage.placement.note(memory);
    } else if (memory?.digests !== undefined && place.length > 0) {
      await writeLastKnown(storage, place, { ...memory, digests: memory.digests }).catch((error: Error) =>
        this.warn(`Cannot note the credentials of workspace ${known.id} next to its data: ${error.message}`),
      );
    }
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
    if (storage.placement === undefined || place.length === 0 || !isIdle || now - life.used < idleMilliseconds)
      return false;
    const dueAt = running?.known().dueAt ?? null;
    return dueAt === null || dueAt - now > soonMilliseconds;
  }
}
