import { type Change, type Ending, type Range, type Store, StoreError, type Tx } from './store.ts';
import { Overlay, type WorkingSet, type Written } from './working-set.ts';

/** Where transactions become durable: the only thing in which two stores differ. */
export interface Ledger {
  /** Makes the transactions durable, all of them or none. Rejects with a StoreError; `gave_up` means: never again. */
  persist(transactions: readonly (readonly Written[])[]): Promise<void>;
  /** Why nothing can be made durable any more, where that shows without a transaction. */
  readonly lost?: StoreError | undefined;
  /** Releases what is held open. */
  close(): Promise<void>;
}

/** Bounds how long a batch keeps the event loop, and how long a journal line grows. */
const LARGEST_BATCH = 500;

interface Waiting<Books> {
  readonly change: (tx: Tx<Books>) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly changes: readonly Written[];
  readonly settle: () => void;
}

/**
 * A store over any ledger. Whatever was asked for while the ledger was busy becomes the next batch: its transactions run
 * in call order, each on top of the earlier ones, and are persisted together. Only then are they applied and answered.
 */
export class Transactor<Books> implements Store<Books> {
  readonly #working: WorkingSet<Books>;
  readonly #ledger: Ledger;
  readonly #warn: (message: string) => void;
  readonly #listeners = new Set<(changes: readonly Change[]) => void>();
  #queue: Waiting<Books>[] = [];
  #draining = false;
  /** Set once nothing more is accepted because the ledger gave up. */
  #refusal: StoreError | undefined;
  #closing: Promise<void> | undefined;

  constructor(working: WorkingSet<Books>, ledger: Ledger, warn: (message: string) => void) {
    this.#working = working;
    this.#ledger = ledger;
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
    return this.#refusal ?? this.#ledger.lost;
  }

  transact<R>(change: (tx: Tx<Books>) => R): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      if (this.#closing) reject(new StoreError('closed', 'The store is closed'));
      else this.#enqueue({ change, resolve: (value) => resolve(value as R), reject });
    });
  }

  onCommit(listener: (changes: readonly Change[]) => void): () => void {
    // Wrapped, so that a listener given twice is called twice and each undo takes back its own.
    const own = (changes: readonly Change[]): void => listener(changes);
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
    this.#closing ??= this.flush().then(() => this.#ledger.close());
    return this.#closing;
  }

  #enqueue(waiting: Waiting<Books>): void {
    this.#queue.push(waiting);
    if (this.#draining) return;
    this.#draining = true;
    // Later, so that everything asked for in the same tick shares the first batch.
    queueMicrotask(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) await this.#commit(this.#queue.splice(0, LARGEST_BATCH));
    this.#draining = false;
  }

  async #commit(batch: readonly Waiting<Books>[]): Promise<void> {
    const outcomes = this.gaveUp ? [] : this.#runAll(batch);
    const transactions = outcomes.map((outcome) => outcome.changes).filter((changes) => changes.length > 0);
    try {
      if (this.gaveUp) throw this.gaveUp;
      if (transactions.length > 0) await this.#ledger.persist(transactions);
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal.code === 'gave_up') this.#refusal = refusal;
      // All, also those that only read or threw: each was decided on top of writes that did not happen.
      for (const { reject } of batch) reject(refusal);
      return;
    }
    for (const { changes, settle } of outcomes) {
      this.#working.apply(changes);
      if (changes.length > 0) this.#notify(changes);
      settle();
    }
  }

  #runAll(batch: readonly Waiting<Books>[]): Outcome[] {
    const staged = new Overlay(this.#working);
    return batch.map((waiting) => this.#run(waiting, staged));
  }

  #run({ change, resolve, reject }: Waiting<Books>, staged: Overlay<Books>): Outcome {
    const tx = new Overlay(staged);
    try {
      const value = change(tx);
      if (isThenable(value)) throw this.#refusePromise(value);
      staged.absorb(tx.changes);
      return { changes: tx.changes, settle: () => resolve(value) };
    } catch (error) {
      return { changes: [], settle: () => reject(error) };
    } finally {
      tx.end();
    }
  }

  #refusePromise(value: PromiseLike<unknown>): TypeError {
    value.then(undefined, (error) => this.#warn(`A refused asynchronous change failed later: ${String(error)}`));
    return new TypeError('A change must be synchronous, but it returned a promise: do the waiting before `transact`');
  }

  #notify(changes: readonly Written[]): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(changes);
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
