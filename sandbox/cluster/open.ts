import { OptionError } from '../options.ts';
import { once } from '../runtime/caches.ts';
import { realTimer, type Timer } from '../runtime/clock.ts';
import { Sealer } from '../store/seal.ts';
import { newRoot } from '../workspaces/registry.ts';
import type { Storage } from '../workspaces/storage.ts';
import { ClusterMember, type Listen, listenForInstances, type ShareAddress } from './cluster-member.ts';
import { Placement } from './placement.ts';
import { Database } from './postgres/database.ts';
import { Instance, type InstanceOptions } from './postgres/instance.ts';
import { type PostgresStorageOptions, postgresStorage } from './postgres-storage.ts';

/** The default idle time before a workspace is unloaded, in milliseconds. After five minutes without a call, users do not notice it. */
const usualIdle = 300_000;

/** The options for opening a database. */
export interface DatabaseOptions
  extends Pick<InstanceOptions, 'address' | 'now' | 'machineTime' | 'warn'>,
    Pick<PostgresStorageOptions, 'newBudget' | 'observer'> {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The key with which all instances encrypt, 32 bytes long. */
  readonly key?: Uint8Array | undefined;
  readonly timer?: Timer | undefined;
}

/** The options for sharing workspaces with other instances. */
export interface SharingOptions {
  /** The address at which other instances reach this one. */
  readonly share: ShareAddress;
  readonly listen: Listen;
  /** Maximum number of workspaces in memory, and the idle time after which one is unloaded (OP-211, OP-212). */
  readonly mostLoaded: number;
  readonly idleMilliseconds?: number | undefined;
}

/** The storage of a process and, if it shares workspaces, its cluster membership. */
export interface OpenedDatabase {
  readonly storage: Storage;
  readonly cluster?: ClusterMember | undefined;
}

/**
 * Opens a database. This process owns each of its stores from opening to closing it. With `sharing`, other processes
 * own other stores, and this one listens for the calls that they forward. Rejects with `OptionError` if there is no
 * key, and with `StoreError` if the database cannot be used. Rejects with the system's error if the port is in use.
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
