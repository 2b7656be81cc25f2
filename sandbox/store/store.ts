import type { Slices } from './row.ts';

/**
 * The store port: every storage operation that modules may use.
 *
 * A store contains named collections of JSON records. `Collections` maps each collection name to its record type. A
 * module that receives `Store<PlatformCollections>` therefore cannot name another party's collections.
 */

/**
 * The schema of one collection. `ordered` sorts the records for `range`, by id or by the key that a function returns.
 * The key must not contain a space. Records whose key is undefined are left out.
 */
export interface CollectionSpec<R> {
  /** Whether the owner limits the collection's size. Records of a bounded collection do not count towards the byte limit. */
  readonly bounded?: true;
  readonly ordered?: true | ((record: R) => string | undefined);
  /** Returns the last instant at which a record is valid, in milliseconds, or undefined if it never expires. `ending` uses this order. */
  readonly until?: (record: R) => number | undefined;
  /**
   * A transaction that changes an essential collection is never refused as `full`. Such changes keep the store usable,
   * and their size must be bounded by other means.
   */
  readonly essential?: true;
  /** Index functions by name. Each returns the lookup key of a record, or undefined to leave the record out of the index. */
  readonly indexes?: Readonly<Record<string, (record: R) => string | undefined>>;
  /**
   * Sorted indexes by name, for range queries whose cost depends only on the number of results. Each function returns a
   * record's group and its sort key within that group (`place`), or undefined to leave the record out. The sort key
   * must not contain a space. Records with equal sort keys are sorted by id.
   */
  readonly sorted?: Readonly<
    Record<string, (record: R, id: string) => readonly [group: string, place: string] | undefined>
  >;
}

/** A spec for each collection in `Collections`. The store throws on access to any other collection. */
export type StoreSchema<Collections> = { readonly [C in keyof Collections]: CollectionSpec<Collections[C]> };

/**
 * A slice of an ordered collection or, with `by`, of one `group` in a sorted index. It contains the keys strictly after
 * `after`. With `reverse`, it contains the keys strictly before `after`, in descending order.
 */
export interface Range {
  readonly by?: string;
  readonly group?: string;
  readonly after?: string;
  /** With `by` and `after`: starts after this id among the records with sort key `after`, instead of after all of them. */
  readonly id?: string;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** The record of a collection that expires first. */
export interface Ending {
  readonly id: string;
  /** The last instant at which the record is valid, in milliseconds. */
  readonly until: number;
}

/**
 * Read operations. They never access the disk, because every record is in memory. Records are frozen: to change one,
 * put a new record in a transaction.
 */
export interface Reader<Collections> {
  /** Returns the record with this id, or undefined. */
  get<C extends keyof Collections>(collection: C, id: string): Collections[C] | undefined;
  /** Returns the records that `index` maps to `key`, oldest insertion first. The cost depends only on the number of matches. */
  find<C extends keyof Collections>(collection: C, index: string, key: string): readonly Collections[C][];
  /**
   * Returns a slice of an `ordered` collection or a `sorted` index. The cost depends only on the number of results.
   * Throws if the collection does not have that order.
   */
  range<C extends keyof Collections>(collection: C, range: Range): readonly Collections[C][];
  /** Returns every record of the collection, oldest insertion first. */
  all<C extends keyof Collections>(collection: C): readonly Collections[C][];
  /** Returns the ids of all records, oldest insertion first. With a range, returns the ids in that range, in its order. */
  ids<C extends keyof Collections>(collection: C, range?: Range): readonly string[];
  /** Returns the number of records in the collection. */
  count<C extends keyof Collections>(collection: C): number;
  /**
   * Returns the record that expires first, or undefined if none expires. Of several such records, returns the one with
   * the smallest id. Throws if the spec has no `until`.
   */
  ending<C extends keyof Collections>(collection: C): Ending | undefined;
}

/** A transaction in progress. Reads see its own puts and removals, and those of every earlier transaction. */
export interface Tx<Collections> extends Reader<Collections> {
  put<C extends keyof Collections>(collection: C, id: string, record: Collections[C]): void;
  /** Puts a record under a new id. Throws if the id already exists, and leaves that record unchanged. */
  add<C extends keyof Collections>(collection: C, id: string, record: Collections[C]): void;
  remove<C extends keyof Collections>(collection: C, id: string): void;
}

/**
 * One committed change. `record` is undefined for a removal, and `before` is undefined if there was no record. A
 * transaction has one change per record, however often it puts that record. It has two if it removes a record and then
 * puts another one with the same id.
 */
export interface Change {
  readonly collection: PropertyKey;
  readonly id: string;
  readonly record: unknown;
  readonly before?: unknown;
}

/** The notification that a commit listener receives: the changes of one transaction, or `everything` after a replacement. */
export type Committed = readonly Change[] | 'everything';

/** New content that replaces everything in a store. */
export interface Replacement<Collections, R> {
  /** The content to store. Its records are frozen. */
  readonly content: Slices;
  /** Runs synchronously on top of the new content, at the moment it replaces the old content (`before`). */
  readonly change: (tx: Tx<Collections>, before: Reader<Collections>) => R;
  /** Decides when the last step runs. By default, it runs immediately. */
  readonly when?: (step: () => Promise<R>) => Promise<R>;
}

/** A limited count of bytes in memory, implemented by `ByteBudget`. */
export interface CountedBytes {
  add(bytes: number): void;
  refuseBeyond(bytes: number): void;
}

/** The port of a durable store. The comments on its members are the contract for every adapter. */
export interface Store<Collections> extends Reader<Collections> {
  /** The error after which the store accepts no transactions until a restart, such as a failed sync; undefined if there is none. */
  readonly gaveUp: StoreError | undefined;
  /** The reason for the last checkpoint failure. The log grows until a checkpoint succeeds, which resets this to undefined. */
  readonly checkpointFailure: string | undefined;
  /**
   * Whether another process may currently own these collections. Until that is ruled out, nothing may be served from
   * them, and transactions wait.
   */
  readonly paused: boolean;
  /**
   * Whether a transaction was refused as `full` and no bytes have been freed since. Another transaction that adds
   * records would also be refused.
   */
  readonly isFull: boolean;
  /**
   * Runs `change` synchronously against a consistent view. Resolves with its result once its writes, and every write
   * that it could observe, are durable. Either all of its writes happen or none. If `change` throws, nothing is written
   * and the promise rejects with that error. Transactions take effect in the order of the calls.
   *
   * A store can have a byte limit, and can be part of larger budgets. Bytes are counted over the JSON of its
   * collections, without escapes. Rejects with `StoreFullError` if the change would exceed any of these limits. A
   * change that shrinks the store, or keeps its size, is never refused for that reason.
   *
   * Rejects with `StoreError` if the disk refuses the write. Memory then still matches the disk.
   */
  transact<R>(change: (tx: Tx<Collections>) => R): Promise<R>;
  /** Passes a snapshot of the whole store to `use`, one slice at a time. Transactions continue meanwhile. */
  view<R>(use: (content: Slices) => Promise<R>): Promise<R>;
  /**
   * Replaces the whole content of the store atomically. The new content is prepared one slice at a time, while
   * transactions continue. The replacement discards the changes of those transactions. Replacements run one after
   * another. Rejects as `transact` does, and with any error from `content`, `change` or `when`. If the outcome is
   * uncertain, rejects with `gave_up`, and the next start shows which content is stored.
   */
  replace<R>(replacement: Replacement<Collections, R>): Promise<R>;
  /**
   * Calls `listener` with the changes of each transaction, in order, right after plain reads see them. Returns a
   * function that removes the listener.
   */
  onCommit(listener: (committed: Committed) => void): () => void;
  /**
   * Runs `step` while no transaction is being written, so that everything it reads is durable and in order with the
   * commits. The step runs immediately, or after the group in progress is applied or refused. Resolves after the step
   * has run, and rejects with any error it throws.
   */
  between(step: () => void): Promise<void>;
  /** Resolves when every transaction submitted so far is refused, or is durable and visible to plain reads. */
  flush(): Promise<void>;
  /**
   * Replaces the parent of the store's own budget with this budget. Returns a second child budget, for memory other
   * than the records. Closing the store releases both.
   */
  countIn(budget: CountedBytes): CountedBytes;
  /** Waits for pending transactions, writes a final checkpoint and releases the store's resources. Later transactions are refused. */
  close(): Promise<void>;
}

/** The reason that a store cannot open or write. */
export type StoreErrorCode =
  /** Another live process has opened this data directory. */
  | 'locked'
  /** The directory cannot be created, read or written. */
  | 'unreadable'
  /** A file is damaged in a way that a torn last write does not explain. No file was changed. */
  | 'damaged'
  /** The key does not match this data. No file was changed. */
  | 'wrong_key'
  /** The disk refused a write (full, I/O error). The change did not happen. */
  | 'refused'
  /** The change would exceed a byte limit, and did not happen. */
  | 'full'
  /** A sync failed. The store accepts no transactions until a restart. */
  | 'gave_up'
  /** The store is closed. */
  | 'closed';

/** A storage failure, with a message that tells the user what to do. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** The scope of a byte limit: one store, all stores of a tenant, or all stores of the process. */
export type FullScope = 'store' | 'tenant' | 'process';

const fullSubjects: Readonly<Record<FullScope, string>> = {
  store: 'The store has',
  tenant: 'The stores of this tenant have together',
  process: 'All stores of this process have together',
};

/** The error for a change, or for stored data, that exceeds a byte limit. */
export class StoreFullError extends StoreError {
  readonly maxBytes: number;
  readonly scope: FullScope;
  constructor(maxBytes: number, scope: FullScope = 'store') {
    super('full', `${fullSubjects[scope]} reached ${scope === 'store' ? 'its' : 'their'} limit of ${maxBytes} bytes`);
    this.name = 'StoreFullError';
    this.maxBytes = maxBytes;
    this.scope = scope;
  }
}

/** The error for collections that another live process owns. */
export class OwnedElsewhere extends StoreError {
  /**
   * @param name the name of the collections in the message
   * @param address the address of the owner
   */
  constructor(name: string, address: string) {
    super('locked', `${name} is owned by another running instance (${address})`);
  }
}
