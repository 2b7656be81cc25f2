import { OptionError } from '../options.ts';
import { realTimer, type Timer } from '../runtime/timer.ts';
import type { ByteBudget } from '../store/byte-budget.ts';
import type { CommitObserver } from '../store/commit-log.ts';
import { diskFiles, type Files } from '../store/files.ts';
import { newRoot } from './registry.ts';
import { diskStorage, memoryStorage, type Storage } from './storage.ts';

/** Where the data of a sandbox is: in PostgreSQL where `store` is given, else in the folder, else nowhere. */
export interface DataPlace {
  readonly store?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly key?: Uint8Array | undefined;
  readonly files?: Files | undefined;
  readonly checkpointAfterBytes?: number | undefined;
  readonly timer?: Timer | undefined;
  /** Makes the budget of a workspace's collections. */
  readonly newBudget?: ((maxBytes?: number) => ByteBudget) | undefined;
  /** Measures writes. */
  readonly observer?: CommitObserver | undefined;
}

/** What a process says of itself to others that want the same data. */
export interface Process {
  /** Where it is. */
  readonly address: string;
  /** Where other instances that share the data forward calls to; undefined without sharing. */
  readonly internal?: string | undefined;
  /** Milliseconds of a monotonic clock that also runs while the process is stopped. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly machineTime: () => number;
}

/** Opens it. Rejects with `OptionError` where a database has no key, and with `StoreError` where it cannot be used. */
export async function openStorage(
  place: DataPlace,
  { address, internal, now, machineTime }: Process,
  warn: (message: string) => void,
): Promise<Storage> {
  const {
    store: url,
    dataDir,
    key,
    files = diskFiles,
    checkpointAfterBytes,
    timer = realTimer,
    observer,
    newBudget,
  } = place;
  if (url === undefined) {
    return dataDir === undefined
      ? memoryStorage(warn, { observer, newBudget })
      : diskStorage(dataDir, { key, files, checkpointAfterBytes, warn, observer, newBudget });
  }
  if (key === undefined) {
    throw new OptionError('--store requires a key: set REWARDS_SANDBOX_KEY to the same 64 hex digits on all machines');
  }
  // It loads the driver, which nothing else needs.
  const { postgresStorage } = await import('./postgres-storage.ts');
  return postgresStorage({
    url,
    key,
    address,
    internal,
    newId: newRoot,
    timer,
    now,
    machineTime,
    warn,
    observer,
    newBudget,
  });
}
