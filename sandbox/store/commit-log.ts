import type { StoreError } from './store.ts';
import type { Slices } from './view.ts';
import type { WorkingSet, WrittenChange } from './working-set.ts';

/** Where transactions become durable: the only thing in which two stores differ. */
export interface CommitLog<Books> {
  /**
   * Hands the transactions to the system at once, all of them or none; `acknowledged` says whether some are acknowledged
   * right after. Returns how many bytes that took. Throws `refused`, and then `takeBack` comes before anything else, or `gave_up`: never again.
   */
  write(transactions: readonly (readonly WrittenChange[])[], acknowledged: boolean): number;
  /** Takes back what a refused write left. Rejects with `gave_up`. */
  takeBack(): Promise<void>;
  /** Resolves when all that was written before the call is on the disk. Rejects with `gave_up`. */
  sync(): Promise<void>;
  /** Says that all that was written so far is acknowledged and applied, so that it stays whatever fails later. */
  stand(): void;
  /** After `gave_up`: takes back what is neither synced nor stands. Rejects with `gave_up`. */
  abandon(): Promise<void>;
  /** Something that is to be done once, with everything synced and applied; undefined where there is nothing. */
  readonly due?: (() => Promise<void>) | undefined;
  /**
   * Gets content ready to take the place of everything. It reads the slices to their end, which fills `working` with
   * them.
   */
  prepare(working: WorkingSet<Books>, slices: Slices): Promise<Prepared>;
  /**
   * Whether what was handed over and is not synced can be lost where the process is killed: then nothing is acknowledged
   * before it is synced, `written` or not.
   */
  readonly diesWithProcess?: boolean;
  /** Whether it is not certain at present that the books are still this process's own: nothing may be told of them. */
  readonly paused?: boolean;
  /** Why nothing can be made durable any more, where that shows without a transaction. */
  readonly lost?: StoreError | undefined;
  /** Releases what is held open. */
  close(): Promise<void>;
}

/** Content that is ready to take the place of everything. */
export interface Prepared {
  /** Makes it durable with these changes on top, all of it or nothing. Rejects with `refused` or `gave_up`. */
  commit(changes: readonly WrittenChange[]): Promise<void>;
  /** Drops what did not take its place. */
  discard(): Promise<void>;
}
