import type { Slices } from './row.ts';
import type { StoreError } from './store.ts';
import type { WorkingSet, WrittenChange } from './working-set.ts';

/** The port that makes transactions durable. Stores differ only in this part. */
export interface CommitLog<Collections> {
  /**
   * Makes transactions durable, all of them or none. Resolves with the number of bytes written. Calls never overlap.
   * Rejects with `refused` if nothing happened, or with `gave_up` if no later call can succeed either.
   */
  commit(transactions: readonly (readonly WrittenChange[])[]): Promise<number>;
  /** Called when all commits are applied to memory. A due checkpoint captures its view now. */
  applied(): void;
  /** Prepares content to replace everything. Reads all slices, which also loads them into `working`. */
  prepare(working: WorkingSet<Collections>, slices: Slices): Promise<Prepared>;
  /** See `Store.paused`. */
  readonly paused?: boolean;
  /** The error that prevents further commits, if it is known before the next transaction. */
  readonly lost?: StoreError | undefined;
  /** See `Store.checkpointFailure`. */
  readonly checkpointFailure?: string | undefined;
  /** Closes files and connections. */
  close(): Promise<void>;
}

/** Content that is ready to replace everything in the store. */
export interface Prepared {
  /** Makes the content durable with these changes on top, atomically. Rejects with `refused` or `gave_up`. */
  commit(changes: readonly WrittenChange[]): Promise<void>;
  /** Drops content that was not committed. */
  discard(): Promise<void>;
}

/** An observer of the writes of stores, for metrics. */
export interface CommitObserver {
  /** Called after a batch was written, with its number of transactions and bytes. */
  committed(transactions: number, bytes: number): void;
  /** Called when a flush begins. The returned function is called once the flush is durable. */
  flushing(): () => void;
}
