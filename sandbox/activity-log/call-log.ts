import type { Tx } from '../store/store.ts';
import type { ActivityEntry, CallEntry } from './activity-entry.ts';
import type { FittedCall } from './entry-size.ts';

/** The number of a company's requests accepted at one instant, in milliseconds on the sandbox clock. */
export interface Accepted {
  readonly at: number;
  /** 0 if the requests no longer count. */
  readonly requests: number;
}

/** The collections for calls in the store. */
export interface CallCollections {
  readonly activity: ActivityEntry;
  readonly tallies: number;
}

/** Data that is saved with the calls. */
export interface SavedWithCalls {
  readonly activity: {
    /** Writes calls that are only in memory to the store. */
    save(tx: Tx<CallCollections>): void;
  };
  readonly quota: {
    /** Returns the changes since the previous call of this method. */
    changed(): readonly Accepted[];
    /** Returns all requests that count, and marks them as unchanged. */
    all(): readonly Accepted[];
    /** Maximum number of requests that may be accepted between two saves, if not every call is saved. */
    readonly reserve: number;
  };
}

/**
 * The persistent log of calls and of the quota's sliding hour. Neither is in the store, so that a call without changes
 * needs no transaction and no sync.
 */
export interface CallLog {
  /** The content at the time of opening. If two rows have the same instant, the later row applies. */
  readonly saved: { readonly calls: readonly CallEntry[]; readonly accepted: readonly Accepted[] };
  /** Sets the data that is saved with the calls. */
  follow(saved: SavedWithCalls): void;
  /** Resolves when another request may be accepted. */
  room(): Promise<void>;
  /** Appends a call. Resolves when the call would survive a killed process, if the log guarantees that. Never rejects. */
  append(call: FittedCall): Promise<void>;
  /** Removes all content, after a reset of the activity log. */
  restart(): void;
  close(): Promise<void>;
}

/** A call log that stores nothing, for sandboxes without persistence. */
export const forgetfulCallLog: CallLog = {
  saved: { calls: [], accepted: [] },
  follow: () => {},
  room: async () => {},
  append: async () => {},
  restart: () => {},
  close: async () => {},
};
