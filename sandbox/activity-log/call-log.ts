import type { Tx } from '../store/store.ts';
import type { ActivityEntry, CallEntry } from './activity-entry.ts';
import type { FittedCall } from './entry-size.ts';

/** How many requests of a company were accepted at one instant, in milliseconds on the sandbox clock. */
export interface Accepted {
  readonly at: number;
  /** 0 if they no longer count. */
  readonly requests: number;
}

/** The collection that calls are in where a store has them. */
export interface CallCollections {
  readonly activity: ActivityEntry;
  readonly tallies: number;
}

/** What is saved with the calls. */
export interface SavedWithCalls {
  readonly activity: {
    /** Puts those calls into the store that are only in memory. */
    save(tx: Tx<CallCollections>): void;
  };
  readonly quota: {
    /** The changes since the previous call of this method. */
    changed(): readonly Accepted[];
    /** Everything that counts, after which nothing has changed. */
    all(): readonly Accepted[];
    /** How many requests may be accepted between two saves where a save is not part of each call. */
    readonly reserve: number;
  };
}

/**
 * Where the calls of the activity log go besides memory, and with them the quota's sliding hour. Neither is in the store: a call
 * that changes nothing needs no transaction and no sync.
 */
export interface CallLog {
  /** What was there when it was opened; of two rows for one instant the later one counts. */
  readonly saved: { readonly calls: readonly CallEntry[]; readonly accepted: readonly Accepted[] };
  /** Says what else it saves. */
  follow(saved: SavedWithCalls): void;
  /** Resolves when one more request may be accepted. */
  room(): Promise<void>;
  /** Adds a call. Resolves when the call survives a killed process, if the log promises that; never rejects. */
  append(call: FittedCall): Promise<void>;
  /** Removes everything, after a reset of the activity log. */
  restart(): void;
  close(): Promise<void>;
}

/** Keeps nothing: for sandboxes that forget everything when they end. */
export const forgetfulCallLog: CallLog = {
  saved: { calls: [], accepted: [] },
  follow: () => {},
  room: async () => {},
  append: async () => {},
  restart: () => {},
  close: async () => {},
};
