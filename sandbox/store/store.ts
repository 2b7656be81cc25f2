import type { Slices } from './view.ts';

/**
 * The store port: what the modules may ask of storage, and nothing more.
 *
 * A store holds named collections of JSON records. `Collections` maps a collection's name to the type of its records, so a
 * module that is handed `Store<PlatformCollections>` cannot name another party's collections.
 */

/**
 * The schema of one collection. `ordered` keeps records sorted for `range`: by id, or by the key that a function gives,
 * without a space, or undefined to leave the record out. Each index maps a record to its look-up key.
 */
export interface CollectionSpec<R> {
  /** Whether its owner bounds it: its records then do not count towards the limit of bytes. */
  readonly bounded?: true;
  readonly ordered?: true | ((record: R) => string | undefined);
  /**
   * The instant in milliseconds until which a record counts, undefined for one without end. Kept in order for `ending`.
   */
  readonly until?: (record: R) => number | undefined;
  /**
   * A transaction that changes such a collection is never refused as `full`: it does what keeps the store usable, and what
   * it adds is bounded by itself.
   */
  readonly essential?: true;
  /** An index function gives the key a record is found under, or undefined to leave the record out of the index. */
  readonly indexes?: Readonly<Record<string, (record: R) => string | undefined>>;
  /**
   * Sorted indexes, for ranges that cost what they return: a function gives the group that a record belongs to and its
   * place within the group, without a space, or undefined to leave the record out. Equal places are sorted by id.
   */
  readonly sorted?: Readonly<
    Record<string, (record: R, id: string) => readonly [group: string, place: string] | undefined>
  >;
}

/** One spec for each collection of `Collections`; the store refuses to serve a collection that is not listed. */
export type StoreSchema<Collections> = { readonly [C in keyof Collections]: CollectionSpec<Collections[C]> };

/**
 * A slice of an ordered collection, or with `by` of one `group` of a sorted index: keys (or places) strictly after
 * `after`, in their order (or strictly before it, when reversed).
 */
export interface Range {
  readonly by?: string;
  readonly group?: string;
  readonly after?: string;
  /** With `after`: begins strictly behind this id at that place, not behind the whole place. For `by` only. */
  readonly id?: string;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** The record of a collection that ends before all others. */
export interface Ending {
  readonly id: string;
  /** The last instant at which it counts, in milliseconds. */
  readonly until: number;
}

/** Reading, which costs no disk: every record is in memory. Records are frozen: put a new one in a transaction. */
export interface Reader<Collections> {
  /** The record under `id`, or undefined. */
  get<C extends keyof Collections>(collection: C, id: string): Collections[C] | undefined;
  /** Records whose `index` gives `key`, oldest insertion first. Cost depends on the number found only. */
  find<C extends keyof Collections>(collection: C, index: string, key: string): readonly Collections[C][];
  /**
   * A slice of an `ordered` collection or of a `sorted` index. Costs what it returns. Throws for an order that the
   * collection does not have.
   */
  range<C extends keyof Collections>(collection: C, range: Range): readonly Collections[C][];
  /** Every record of the collection, oldest insertion first. */
  all<C extends keyof Collections>(collection: C): readonly Collections[C][];
  /** The ids of every record of the collection, oldest insertion first; with a range those of its records only. */
  ids<C extends keyof Collections>(collection: C, range?: Range): readonly string[];
  /** How many records the collection holds. */
  count<C extends keyof Collections>(collection: C): number;
  /**
   * What ends first, and of several the smallest id; undefined where nothing ends. Throws if the spec says no
   * `until`.
   */
  ending<C extends keyof Collections>(collection: C): Ending | undefined;
}

/** A transaction in the making: reads see its own puts and removes, and those of every earlier transaction. */
export interface Tx<Collections> extends Reader<Collections> {
  put<C extends keyof Collections>(collection: C, id: string, record: Collections[C]): void;
  /** Puts a record under an id that is new; throws where there is one under it, which stays. */
  add<C extends keyof Collections>(collection: C, id: string, record: Collections[C]): void;
  remove<C extends keyof Collections>(collection: C, id: string): void;
}

/**
 * One committed change: `record` is undefined for a removal, `before` where there was no record. A transaction has one
 * for each record, however often it puts it; two where it puts a record after removing the one with the same id.
 */
export interface Change {
  readonly collection: PropertyKey;
  readonly id: string;
  readonly record: unknown;
  readonly before?: unknown;
}

/**
 * The notification of a listener: the changes of one transaction, or that everything has changed, because other content
 * replaced it.
 */
export type Committed = readonly Change[] | 'everything';

/** Other content, to take the place of everything that is stored. */
export interface Replacement<Collections, R> {
  /** What is to be stored. Its records are frozen and stay as they are. */
  readonly content: Slices;
  /**
   * Runs on top of the new content, synchronously, at the instant at which it takes the place of what was there
   * `before`.
   */
  readonly change: (tx: Tx<Collections>, before: Reader<Collections>) => R;
  /** Runs the last step when it is allowed; by default, immediately. */
  readonly when?: (step: () => Promise<R>) => Promise<R>;
}

/** Bytes in memory that are counted and limited: a `ByteBudget`. */
export interface CountedBytes {
  add(bytes: number): void;
  refuseBeyond(bytes: number): void;
}

/** The port: a durable store of collections. The comments of its members are the contract of every adapter. */
export interface Store<Collections> extends Reader<Collections> {
  /** Why nothing is accepted until a restart: a sync failed. Undefined as long as none did. */
  readonly gaveUp: StoreError | undefined;
  /** Why the last checkpoint failed, so that the log grows; undefined once one succeeds. */
  readonly checkpointFailure: string | undefined;
  /**
   * Whether another process may own these collections at present: nothing may be served from them until that is
   * ruled out. Transactions wait in the meantime.
   */
  readonly paused: boolean;
  /**
   * Whether a transaction was refused as `full` and nothing has been freed since: another one that adds records would be
   * refused too.
   */
  readonly isFull: boolean;
  /**
   * Runs `change` synchronously against a consistent view and resolves with what it returns once its writes, and every
   * write that it could observe, are durable. All of its writes happen, or none. When `change` throws, nothing is written
   * and the promise rejects with that error. Transactions take effect in the order of the calls.
   *
   * A store can have a limit of bytes, counted over the JSON of its collections, without escapes, and be part of larger
   * budgets. Rejects with `StoreFullError` where the change would grow any of them beyond its limit. A change that shrinks the store, or keeps its size,
   * is never refused for that.
   *
   * Rejects with `StoreError` when the disk refuses; memory then still equals disk.
   */
  transact<R>(change: (tx: Tx<Collections>) => R): Promise<R>;
  /** Passes everything that is stored now to `use`, a slice at a time, while transactions continue. */
  view<R>(use: (content: Slices) => Promise<R>): Promise<R>;
  /**
   * Replaces everything that is stored with other content, atomically. The content
   * is prepared a slice at a time, while transactions continue; their changes in the meantime are gone after that step.
   * Replacements happen one after another. Rejects as `transact` does, and with what `content`, `change` or `when`
   * throws; with `closed` if its outcome is uncertain; the next opening shows it.
   */
  replace<R>(replacement: Replacement<Collections, R>): Promise<R>;
  /**
   * Calls `listener` with the changes of each transaction right after plain reads see it, in order. Returns the undo.
   */
  onCommit(listener: (committed: Committed) => void): () => void;
  /**
   * Runs `step` while no transaction is being written, so that whatever it reads is durable and in order with the commits:
   * immediately, or once the group in progress is applied or refused. Resolves when it has run, and rejects with what it throws.
   */
  between(step: () => void): Promise<void>;
  /** Resolves when every transaction submitted so far is durable and visible to plain reads, or refused. */
  flush(): Promise<void>;
  /**
   * Counts its bytes in this budget from now on, instead of the one that it was opened within. Returns a budget in the same
   * one for what is in memory besides the records; closing the store releases both.
   */
  countIn(budget: CountedBytes): CountedBytes;
  /** Waits for pending transactions, writes a last checkpoint and releases what the store holds open. Later transactions are refused. */
  close(): Promise<void>;
}

/** Why a store cannot open or cannot write. */
export type StoreErrorCode =
  /** Another live process has this data directory open. */
  | 'locked'
  /** The directory cannot be created, read or written. */
  | 'unreadable'
  /** A file is damaged other than by a torn last write; nothing was touched. */
  | 'damaged'
  /** The key does not open this data; nothing was touched. */
  | 'wrong_key'
  /** The disk refused a write (full, I/O error). The change did not happen. */
  | 'refused'
  /** The store would hold more bytes than it may. The change did not happen. */
  | 'full'
  /** A sync failed: nothing more is accepted until a restart. */
  | 'gave_up'
  /** The store is closed. */
  | 'closed';

/** A failure of storage, with a message for people that says what to do. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** Whose limit it is: that of one store, of all stores of a tenant, or of all stores of the process. */
export type FullScope = 'store' | 'tenant' | 'process';

const fullSubjects: Readonly<Record<FullScope, string>> = {
  store: 'The store has',
  tenant: 'The stores of this tenant have together',
  process: 'All stores of this process have together',
};

/** A change, or stored data, that takes more bytes than may be held. */
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

/** Another live process owns the collections. */
export class OwnedElsewhere extends StoreError {
  /**
   * @param name what a message calls the collections
   * @param address where their owner is
   */
  constructor(name: string, address: string) {
    super('locked', `${name} is owned by another running instance (${address})`);
  }
}
