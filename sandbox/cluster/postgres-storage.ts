import type { CallLog, SavedWithCalls } from '../activity-log/call-log.ts';
import { type WorkspaceCollections, workspaceSchema } from '../assembly/collections.ts';
import { OptionError } from '../options.ts';
import { reservedTally } from '../platform/quota.ts';
import { once } from '../runtime/once.ts';
import { realTimer, type Timer } from '../runtime/timer.ts';
import type { ByteBudget } from '../store/byte-budget.ts';
import type { CommitObserver } from '../store/commit-log.ts';
import { Sealer } from '../store/seal.ts';
import type { Store, Tx } from '../store/store.ts';
import { newRoot } from '../workspaces/registry.ts';
import type { Storage, StoragePlace } from '../workspaces/storage.ts';
import { hasContent, namesBelow, readCopy, removeContent, removeCopies, writeCopy } from './postgres/copies.ts';
import { Database } from './postgres/database.ts';
import { Instance } from './postgres/instance.ts';
import { openPostgresStore } from './postgres/open.ts';
import { postgresPlacement } from './postgres-placement.ts';

/** Options of the PostgreSQL storage. */
export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** 32 bytes that all instances encrypt with. */
  readonly key?: Uint8Array | undefined;
  /** The address of this instance, for messages. */
  readonly address: string;
  /** Where it takes calls from other instances, as `host:port`; undefined where it has all workspaces to itself. */
  readonly internal?: string | undefined;
  readonly timer?: Timer | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly machineTime: () => number;
  readonly warn: (message: string) => void;
  /** Makes the budget of a workspace's collections. */
  readonly newBudget?: ((maxBytes?: number) => ByteBudget) | undefined;
  /** Measures writes. */
  readonly observer?: CommitObserver | undefined;
}

/**
 * Keeps each store in a database that several instances share: one that is open here is this instance's own until it is
 * closed. Rejects with `OptionError` without a key, and with `StoreError` where the database cannot be used.
 */
export async function postgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { key, timer = realTimer, warn, observer, newBudget } = options;
  if (key === undefined) {
    throw new OptionError('--store requires a key: set REWARDS_SANDBOX_KEY to the same 64 hex digits on all machines');
  }
  const sealer = new Sealer(key);
  const database = await Database.open({ ...options, timer });
  const instance = await Instance.join(database, { ...options, timer, newId: newRoot }).catch(async (error) => {
    await database.close();
    throw error;
  });
  const name = (place: StoragePlace) => place.join('/');
  const { internal, now } = options;
  const isPatient = internal === undefined;
  const placement =
    internal === undefined ? undefined : await postgresPlacement({ database, sealer, address: internal, now });
  return {
    open: (place) =>
      openPostgresStore({
        ...{
          database,
          instance,
          place: name(place),
          schema: workspaceSchema,
          sealer,
          warn,
          observer,
          isPatient,
          budget: newBudget?.(),
        },
      }),
    openCalls: async (_place, store) => new LeasedCalls(store, (listener) => instance.onRenewed(listener)),
    write: (place, content) => writeCopy(database, sealer, name(place), newRoot(), content),
    read: (place) => readCopy(database, sealer, name(place)),
    sizeOf: async () => 0,
    has: (place) => hasContent(database, name(place)),
    // What is begun there and not whole is marked as such.
    isVacant: async () => false,
    list: (place) => namesBelow(database, name(place)),
    async remove(place) {
      await removeContent(database, name(place));
      await removeCopies(database, name(place));
    },
    placement,
    lease: () => instance.lease,
    clock: { time: () => instance.clock.time(), skew: () => instance.clock.skew() },
    close: once(async () => {
      await placement?.close();
      await instance.leave();
      await database.close();
    }),
  };
}

/**
 * Calls and quota of a workspace in PostgreSQL. Its owner writes both into the store with each renewal of its lease, and when it
 * gives the workspace back, so calls wait for no transaction. The store also says how many requests the owner may accept until it
 * writes again. An owner that has used them up writes first; one that takes over counts all of them as accepted (OP-30).
 */
export class LeasedCalls implements CallLog {
  readonly saved: CallLog['saved'] = { calls: [], accepted: [] };
  readonly #store: Store<WorkspaceCollections>;
  readonly #endRenewals: () => void;
  #followed: SavedWithCalls | undefined;
  /** How many requests may be accepted before the next save, and how many were since the last one began. */
  #left = 0;
  #accepted = 0;
  #isChanged = false;
  /** Whether a save failed, so that the next one writes all of the quota. */
  #owesQuota = false;
  #saving: Promise<void> | undefined;

  /** @param onRenewed calls a listener after each renewal of the lease, and returns the undo */
  constructor(store: Store<WorkspaceCollections>, onRenewed: (listener: () => void) => () => void) {
    this.#store = store;
    this.#endRenewals = onRenewed(() => {
      // A store that refuses says so itself, and the next renewal tries again.
      if (this.#isChanged) void this.#saveOnce().catch(() => {});
    });
  }

  follow(saved: SavedWithCalls): void {
    this.#followed = saved;
  }

  async room(): Promise<void> {
    while (this.#left <= 0) await this.#saveOnce();
    this.#left -= 1;
    this.#accepted += 1;
    this.#isChanged = true;
  }

  async append(): Promise<void> {
    this.#isChanged = true;
  }

  restart(): void {
    this.#left = 0;
  }

  async close(): Promise<void> {
    this.#endRenewals();
    await this.#saving?.catch(() => {});
    // If another instance owns the workspace by now, it counted the reserve.
    await this.#save(0).catch(() => {});
  }

  #saveOnce(): Promise<void> {
    this.#saving ??= this.#save(this.#followed?.quota.reserve ?? 0).finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  async #save(reserve: number): Promise<void> {
    this.#isChanged = false;
    try {
      await this.#store.transact((tx) => {
        this.#followed?.activity.save(tx);
        this.#saveQuota(tx);
        if (tx.get('tallies', reservedTally) !== reserve) tx.put('tallies', reservedTally, reserve);
        this.#accepted = 0;
      });
      this.#left = reserve - this.#accepted;
      this.#owesQuota = false;
    } catch (error) {
      [this.#isChanged, this.#owesQuota] = [true, true];
      throw error;
    }
  }

  #saveQuota(tx: Tx<WorkspaceCollections>): void {
    if (this.#owesQuota) for (const id of tx.ids('acceptedAt')) tx.remove('acceptedAt', id);
    const rows = this.#owesQuota ? this.#followed?.quota.all() : this.#followed?.quota.changed();
    for (const { at, requests } of rows ?? []) {
      if (requests === 0) tx.remove('acceptedAt', String(at));
      else tx.put('acceptedAt', String(at), { at, requests });
    }
  }
}
