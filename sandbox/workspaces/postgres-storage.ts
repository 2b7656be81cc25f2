import { workspaceSchema } from '../assembly/collections.ts';
import { once } from '../runtime/once.ts';
import type { Timer } from '../runtime/timer.ts';
import type { CommitObserver } from '../store/commit-log.ts';
import { readCopy, removeCopies, writeCopy } from '../store/postgres/copies.ts';
import { Database } from '../store/postgres/database.ts';
import { Instance } from '../store/postgres/instance.ts';
import { openPostgresStore } from '../store/postgres/open.ts';
import { hasContent, namesBelow, removeContent } from '../store/postgres/places.ts';
import { Sealer } from '../store/seal.ts';
import { LeasedCalls } from './leased-calls.ts';
import { postgresPlacement } from './postgres-placement.ts';
import type { Storage, StoragePlace } from './storage.ts';

/** Options of the PostgreSQL storage. */
export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** 32 bytes that all instances encrypt with. */
  readonly key: Uint8Array;
  /** The address of this instance, for messages. */
  readonly address: string;
  /** Where it takes calls from other instances, as `host:port`; undefined where it has all workspaces to itself. */
  readonly internal?: string | undefined;
  /** A new name, which nobody else has. */
  readonly newId: () => string;
  readonly timer: Timer;
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly machineTime: () => number;
  readonly warn: (message: string) => void;
  /** The most bytes that the collections of a workspace may hold. */
  readonly maxBytes?: number | undefined;
  /** Measures writes. */
  readonly observer?: CommitObserver | undefined;
}

/**
 * Keeps each store in a database that several instances share: one that is open here is this instance's own until it is
 * closed. Rejects with `StoreError` where the database cannot be used.
 */
export async function postgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { key, newId, warn, observer, maxBytes } = options;
  const sealer = new Sealer(key);
  const database = await Database.open(options);
  const instance = await Instance.join(database, options).catch(async (error) => {
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
          maxBytes,
        },
      }),
    openCalls: async (_place, store) => new LeasedCalls(store, (listener) => instance.onRenewed(listener)),
    write: (place, content) => writeCopy(database, sealer, name(place), newId(), content),
    read: (place) => readCopy(database, sealer, name(place)),
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
