import type { StoreError } from './store.ts';
import type { Slices } from './view.ts';
import type { WorkingSet, WrittenChange } from './working-set.ts';

/** Where transactions become durable: the only thing in which two stores differ. */
export interface CommitLog<Collections> {
  /**
   * Makes transactions durable, all of them or none, and resolves with the bytes that took. One call ends before the next
   * begins. Rejects with `refused` where nothing happened, or with `gave_up`: never again.
   */
  commit(transactions: readonly (readonly WrittenChange[])[]): Promise<number>;
  /** Called when everything committed is applied to memory: a checkpoint that is due takes its view now. */
  applied(): void;
  /** Prepares content to replace everything. It reads the slices to their end, which fills `working` with them. */
  prepare(working: WorkingSet<Collections>, slices: Slices): Promise<Prepared>;
  /** See `Store.paused`. */
  readonly paused?: boolean;
  /** Why nothing can be made durable any longer, if that is known without a transaction. */
  readonly lost?: StoreError | undefined;
  /** See `Store.checkpointFailure`. */
  readonly checkpointFailure?: string | undefined;
  /** Closes files and connections. */
  close(): Promise<void>;
}

/** Content that is ready to replace everything. */
export interface Prepared {
  /** Makes it durable with these changes on top, atomically. Rejects with `refused` or `gave_up`. */
  commit(changes: readonly WrittenChange[]): Promise<void>;
  /** Drops content that did not replace anything. */
  discard(): Promise<void>;
}

/** Who measures what stores write. */
export interface CommitObserver {
  /** A batch was written: its number of transactions and bytes. */
  committed(transactions: number, bytes: number): void;
  /** A flush begins. The returned function is called once it is durable. */
  flushing(): () => void;
}
