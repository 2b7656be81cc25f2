import {
  type Committed,
  type Ending,
  type Range,
  type Reader,
  type Replacement,
  type Store,
  StoreError,
  type Tx,
} from './store.ts';
import type { Slice, Slices } from './view.ts';
import { Overlay, type WorkingSet, type WrittenChange } from './working-set.ts';

/** Where transactions become durable: the only thing in which two stores differ. */
export interface CommitLog<Books> {
  /** Makes the transactions durable, all of them or none. Rejects with a StoreError; `gave_up` means: never again. */
  persist(transactions: readonly (readonly WrittenChange[])[]): Promise<void>;
  /**
   * Gets content ready to take the place of everything. It reads the slices to their end, which fills `working` with
   * them.
   */
  prepare(working: WorkingSet<Books>, slices: Slices): Promise<Prepared>;
  /** Why nothing can be made durable any more, where that shows without a transaction. */
  readonly lost?: StoreError | undefined;
  /** Releases what is held open. */
  close(): Promise<void>;
}

/** Content that is ready to take the place of everything. */
export interface Prepared {
  /** Makes it durable with these changes on top, all of it or nothing. Rejects as `persist` does. */
  commit(changes: readonly WrittenChange[]): Promise<void>;
  /** Drops what did not take its place. */
  discard(): Promise<void>;
}

/** Bounds how long a batch keeps the event loop, and how long a journal line grows. */
const LARGEST_BATCH = 500;

/** What takes the place of everything. */
interface Next<Books> {
  readonly working: WorkingSet<Books>;
  readonly prepared: Prepared;
}

interface Waiting<Books> {
  readonly change: (tx: Tx<Books>, before: Reader<Books>) => unknown;
  /** Set where this is the last step of a replacement. */
  readonly next?: Next<Books>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly changes: readonly WrittenChange[];
  readonly settle: () => void;
  /** Whether the change threw, so that nothing of it counts. */
  readonly threw: boolean;
}

/**
 * A store over any ledger. Whatever was asked for while the ledger was busy becomes the next batch: its transactions
 * run in call order, each on top of the earlier ones, and are persisted together. Only then are they applied and
 * answered.
 */
export class Transactor<Books> implements Store<Books> {
  #working: WorkingSet<Books>;
  readonly #log: CommitLog<Books>;
  readonly #warn: (message: string) => void;
  readonly #listeners = new Set<(committed: Committed) => void>();
  #queue: Waiting<Books>[] = [];
  #draining = false;
  /** Set once nothing more is accepted because the ledger gave up. */
  #refusal: StoreError | undefined;
  #closing: Promise<void> | undefined;
  /** Ends with the last replacement that was asked for. */
  #replaced: Promise<unknown> = Promise.resolve();

  constructor(working: WorkingSet<Books>, log: CommitLog<Books>, warn: (message: string) => void) {
    this.#working = working;
    this.#log = log;
    this.#warn = warn;
  }

  get<C extends keyof Books>(collection: C, id: string): Books[C] | undefined {
    return this.#working.get(collection, id);
  }

  find<C extends keyof Books>(collection: C, index: string, key: string): readonly Books[C][] {
    return this.#working.find(collection, index, key);
  }

  range<C extends keyof Books>(collection: C, range: Range): readonly Books[C][] {
    return this.#working.range(collection, range);
  }

  all<C extends keyof Books>(collection: C): readonly Books[C][] {
    return this.#working.all(collection);
  }

  ids<C extends keyof Books>(collection: C): readonly string[] {
    return this.#working.ids(collection);
  }

  count<C extends keyof Books>(collection: C): number {
    return this.#working.count(collection);
  }

  ending<C extends keyof Books>(collection: C): Ending | undefined {
    return this.#working.ending(collection);
  }

  get gaveUp(): StoreError | undefined {
    return this.#refusal ?? this.#log.lost;
  }

  transact<R>(change: (tx: Tx<Books>) => R): Promise<R> {
    return this.#ask(change);
  }

  async view<R>(use: (content: Slices) => Promise<R>): Promise<R> {
    const view = this.#working.view();
    try {
      return await use(view.slices());
    } finally {
      view.close();
    }
  }

  replace<R>(replacement: Replacement<Books, R>): Promise<R> {
    const replaced = this.#replaced.then(() => this.#replace(replacement));
    this.#replaced = replaced.catch(() => undefined);
    return replaced;
  }

  onCommit(listener: (committed: Committed) => void): () => void {
    // Wrapped, so that a listener given twice is called twice and each undo takes back its own.
    const own = (committed: Committed): void => listener(committed);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  flush(): Promise<void> {
    // To be refused is an answer too: what was asked for before is then decided.
    return new Promise((resolve) =>
      this.#enqueue({ change: () => undefined, resolve: () => resolve(), reject: () => resolve() }),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.flush()
      .then(() => this.#replaced)
      .then(() => this.#log.close());
    return this.#closing;
  }

  async #replace<R>({ content, change, when = (step) => step() }: Replacement<Books, R>): Promise<R> {
    this.#refuse();
    const working = this.#working.successor();
    const prepared = await this.#prepare(working, content);
    try {
      return await when(() => this.#ask(change, { working, prepared }));
    } finally {
      if (this.#working !== working) await prepared.discard();
    }
  }

  async #prepare(working: WorkingSet<Books>, content: Slices): Promise<Prepared> {
    try {
      return await this.#log.prepare(working, this.#loading(working, content));
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** The slices, each once it was taken into the working set. They end early where the store closes. */
  async *#loading(working: WorkingSet<Books>, content: Slices): AsyncGenerator<Slice, void, void> {
    for await (const slice of content) {
      this.#refuse();
      working.load(slice);
      yield slice;
    }
  }

  /** Throws where nothing more is accepted. */
  #refuse(): void {
    if (this.gaveUp) throw this.gaveUp;
    if (this.#closing) throw new StoreError('closed', 'The store is closed');
  }

  #ask<R>(change: (tx: Tx<Books>, before: Reader<Books>) => R, next?: Next<Books>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      if (this.#closing) reject(new StoreError('closed', 'The store is closed'));
      else this.#enqueue({ change, resolve: (value) => resolve(value as R), reject, ...(next && { next }) });
    });
  }

  #enqueue(waiting: Waiting<Books>): void {
    this.#queue.push(waiting);
    if (this.#draining) return;
    this.#draining = true;
    // Later, so that everything asked for in the same tick shares the first batch.
    queueMicrotask(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) await this.#commit(this.#queue.splice(0, this.#sizeOfBatch()));
    this.#draining = false;
  }

  /** What takes the place of everything is a batch of its own. */
  #sizeOfBatch(): number {
    const replacement = this.#queue.slice(0, LARGEST_BATCH).findIndex(({ next }) => next);
    return replacement < 0 ? LARGEST_BATCH : Math.max(1, replacement);
  }

  async #commit(batch: readonly Waiting<Books>[]): Promise<void> {
    const [first] = batch;
    if (first?.next) return this.#takePlace(first, first.next);
    const outcomes = this.gaveUp ? [] : this.#runAll(batch);
    const transactions = outcomes.map((outcome) => outcome.changes).filter((changes) => changes.length > 0);
    try {
      if (this.gaveUp) throw this.gaveUp;
      if (transactions.length > 0) await this.#log.persist(transactions);
    } catch (error) {
      this.#reject(batch, error);
      return;
    }
    for (const { changes, settle } of outcomes) {
      this.#working.apply(changes);
      if (changes.length > 0) this.#notify(changes);
      settle();
    }
  }

  /** Puts prepared content in place of everything. Transactions that are asked for meanwhile come after it. */
  async #takePlace(waiting: Waiting<Books>, { working, prepared }: Next<Books>): Promise<void> {
    if (this.gaveUp) return waiting.reject(this.gaveUp);
    const { changes, settle, threw } = this.#run(waiting, new Overlay(working));
    if (threw) return settle();
    try {
      await prepared.commit(changes);
    } catch (error) {
      this.#reject([waiting], error);
      return;
    }
    working.apply(changes);
    this.#working = working;
    this.#notify('everything');
    settle();
  }

  /** All of a batch, also those that only read or threw: each was decided on top of writes that did not happen. */
  #reject(batch: readonly Waiting<Books>[], error: unknown): void {
    const refusal = asRefusal(error);
    if (refusal.code === 'gave_up') this.#refusal = refusal;
    for (const { reject } of batch) reject(refusal);
  }

  #runAll(batch: readonly Waiting<Books>[]): Outcome[] {
    const staged = new Overlay(this.#working);
    return batch.map((waiting) => this.#run(waiting, staged));
  }

  #run({ change, resolve, reject }: Waiting<Books>, staged: Overlay<Books>): Outcome {
    const tx = new Overlay(staged);
    try {
      const value = change(tx, this.#working);
      if (isThenable(value)) throw this.#refusePromise(value);
      staged.absorb(tx.changes);
      return { changes: tx.changes, settle: () => resolve(value), threw: false };
    } catch (error) {
      return { changes: [], settle: () => reject(error), threw: true };
    } finally {
      tx.end();
    }
  }

  #refusePromise(value: PromiseLike<unknown>): TypeError {
    value.then(undefined, (error) => this.#warn(`A refused asynchronous change failed later: ${String(error)}`));
    return new TypeError('A change must be synchronous, but it returned a promise: do the waiting before `transact`');
  }

  #notify(committed: Committed): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(committed);
      } catch (error) {
        this.#warn(`A listener to commits failed: ${String(error)}`);
      }
    }
  }
}

function asRefusal(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('refused', `The change could not be written: ${String(error)}`, { cause: error });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
