import { OptionError } from '../options.ts';
import { once } from '../runtime/once.ts';
import { realTimer, type Timer } from '../runtime/timer.ts';
import type { ByteBudget } from '../store/byte-budget.ts';
import type { CommitObserver } from '../store/commit-log.ts';
import { Sealer } from '../store/seal.ts';
import { newRoot } from '../workspaces/registry.ts';
import type { Storage } from '../workspaces/storage.ts';
import { ClusterMember, type Listen, listenForInstances, type ShareAddress } from './cluster-member.ts';
import { Placement } from './placement.ts';
import { Database } from './postgres/database.ts';
import { Instance } from './postgres/instance.ts';
import { postgresStorage } from './postgres-storage.ts';

/** Five minutes without a call: users of a workspace do not notice that it leaves memory. */
const usualIdle = 300_000;

/** How a database is opened. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** 32 bytes that all instances encrypt with. */
  readonly key?: Uint8Array | undefined;
  /** The address of this process, for messages. */
  readonly address: string;
  readonly timer?: Timer | undefined;
  /** Milliseconds of a monotonic clock that also runs while the process is stopped. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly machineTime: () => number;
  readonly warn: (message: string) => void;
  /** Makes the budget of a workspace's collections. */
  readonly newBudget?: ((maxBytes?: number) => ByteBudget) | undefined;
  /** Measures writes. */
  readonly observer?: CommitObserver | undefined;
}

/** How its workspaces are shared with other instances. */
export interface SharingOptions {
  /** Where they reach this one. */
  readonly share: ShareAddress;
  readonly listen: Listen;
  /** Most workspaces in memory, and the idle time after which one leaves memory (OP-211, OP-212). */
  readonly mostLoaded: number;
  readonly idleMilliseconds?: number | undefined;
}

/** Where the data of a process is; with other instances, what it shares of it. */
export interface OpenedDatabase {
  readonly storage: Storage;
  readonly cluster?: ClusterMember | undefined;
}

/**
 * Opens a database. Each store that is open is this process's own until it is closed. With `sharing`, other processes have the
 * other stores, and this one listens for the calls that they forward. Rejects with `OptionError` without a key, with
 * `StoreError` where the database cannot be used, and with the system's error if the port is in use.
 */
export async function openDatabase(options: DatabaseOptions, sharing?: SharingOptions): Promise<OpenedDatabase> {
  const { key, timer = realTimer, now } = options;
  if (key === undefined) {
    throw new OptionError('--store requires a key: set REWARDS_SANDBOX_KEY to the same 64 hex digits on all machines');
  }
  const sealer = new Sealer(key);
  const closing: (() => Promise<void>)[] = [];
  const close = once(async () => {
    for (const end of closing.toReversed()) await end();
  });
  try {
    const listener = sharing && (await listenForInstances(sharing.share, key, sharing.listen));
    if (listener !== undefined) closing.push(() => listener.server.close());
    const database = await Database.open({ ...options, timer });
    closing.push(() => database.close());
    const internal = listener?.address;
    const instance = await Instance.join(database, { ...options, timer, internal, newId: newRoot });
    closing.push(() => instance.leave());
    const storage = { ...postgresStorage({ ...options, database, instance, sealer, isPatient: !sharing }), close };
    if (sharing === undefined || listener === undefined) return { storage };
    const placement = await Placement.open({ database, sealer, address: listener.address, now });
    closing.push(() => placement.close());
    const { mostLoaded, idleMilliseconds = usualIdle } = sharing;
    return { storage, cluster: new ClusterMember({ listener, placement, key, timer, mostLoaded, idleMilliseconds }) };
  } catch (error) {
    await close();
    throw error;
  }
}
