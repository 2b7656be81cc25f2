import { AsyncLocalStorage } from 'node:async_hooks';
import { ByteBudget } from './byte-budget.ts';
import type { ReadableCollection } from './collection.ts';
import type { CommitLog, CommitObserver } from './commit-log.ts';
import { type Slice, type Slices, yieldToEventLoop } from './row.ts';
import { type Committed, type Reader, type Replacement, type Store, StoreError, type Tx } from './store.ts';
import {
  asRefusal,
  groupSize,
  type Outcome,
  Overlay,
  type PreparedContent,
  type QueuedTransaction,
  rejectAll,
  runTransaction,
} from './transaction.ts';
import { ReadByName, type WorkingSet } from './working-set.ts';

/**
 * A store on top of any commit log. Transactions that wait at the same time form a group. They run in call order, each
 * on top of the earlier ones, and are written as one log entry (group commit). When the entry is durable, the store
 * applies the group to memory and settles its promises. Then the next group starts.
 */
export class Transactor<Collections> extends ReadByName<Collections> implements Store<Collections> {
  #working: WorkingSet<Collections>;
  readonly #log: CommitLog<Collections>;
  readonly #warn: (message: string) => void;
  readonly #observer: CommitObserver | undefined;
  readonly #beside = new ByteBudget();
  /** Replaced, never mutated, so that adding or removing a listener does not affect a notification in progress. */
  #listeners: readonly { readonly notify: (committed: Committed) => void }[] = [];
  readonly #queue: QueuedTransaction<Collections>[] = [];
  #isDraining = false;
  /** Steps that wait for the end of the current group; undefined if no group is in progress. */
  #waitingSteps: (() => void)[] | undefined;
  /** The error with which the log gave up. The store accepts no transactions after it. */
  #refusal: StoreError | undefined;
  #closing: Promise<void> | undefined;
  /** Resolves when the last queued replacement has settled. */
  #replaced: Promise<unknown> = Promise.resolve();

  constructor(
    working: WorkingSet<Collections>,
    log: CommitLog<Collections>,
    warn: (message: string) => void,
    observer?: CommitObserver,
  ) {
    super();
    this.#working = working;
    this.#observer = observer;
    this.#log = log;
    this.#warn = warn;
  }

  override collection(name: string): ReadableCollection {
    return this.#working.collection(name);
  }

  get gaveUp(): StoreError | undefined {
    return this.#refusal ?? this.#log.lost;
  }

  get checkpointFailure(): string | undefined {
    return this.#log.checkpointFailure;
  }

  get paused(): boolean {
    return this.#log.paused === true;
  }

  get isFull(): boolean {
    return this.#working.budget.isFull;
  }

  transact<R>(change: (tx: Tx<Collections>) => R): Promise<R> {
    return this.#ask(change);
  }

  async view<R>(use: (content: Slices) => Promise<R>): Promise<R> {
    return use(this.#working.view());
  }

  replace<R>(replacement: Replacement<Collections, R>): Promise<R> {
    const replaced = this.#replaced.then(() => this.#replace(replacement));
    this.#replaced = replaced.catch(() => undefined);
    return replaced;
  }

  onCommit(notify: (committed: Committed) => void): () => void {
    // A separate object per call: a listener added twice is called twice, and each undo removes only its own entry.
    const own = { notify };
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((listener) => listener !== own);
    };
  }

  between(step: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(step());
        } catch (error) {
          reject(error);
        }
      };
      if (this.#waitingSteps === undefined) run();
      else this.#waitingSteps.push(run);
    });
  }

  flush(): Promise<void> {
    // A refusal also counts, because every earlier transaction is settled by then.
    return new Promise((resolve) =>
      this.#enqueue({ change: () => undefined, resolve: () => resolve(), reject: () => resolve() }),
    );
  }

  countIn(budget: ByteBudget): ByteBudget {
    this.#working.budget.moveTo(budget);
    this.#beside.moveTo(budget);
    return this.#beside;
  }

  close(): Promise<void> {
    this.#closing ??= this.flush()
      .then(() => this.#replaced)
      .then(() => this.#log.close())
      .finally(() => {
        for (const budget of [this.#working.budget, this.#beside]) budget.release();
      });
    return this.#closing;
  }

  async #replace<R>({ content, change, when = (step) => step() }: Replacement<Collections, R>): Promise<R> {
    this.#refuse();
    const working = this.#working.successor();
    try {
      const prepared = await this.#log.prepare(working, this.#loading(working, content)).catch((error) => {
        throw asRefusal(error);
      });
      try {
        return await when(() => this.#ask(change, { working, prepared }));
      } finally {
        if (this.#working !== working) await prepared.discard();
      }
    } finally {
      if (this.#working !== working) working.budget.release();
    }
  }

  /** Yields each slice after it is in the working set. Throws if the store closes or gives up meanwhile. */
  async *#loading(working: WorkingSet<Collections>, content: Slices): AsyncGenerator<Slice, void, void> {
    for await (const slice of content) {
      this.#refuse();
      working.load(slice);
      yield slice;
    }
  }

  /** Throws if the store no longer accepts transactions. */
  #refuse(): void {
    if (this.gaveUp) throw this.gaveUp;
    if (this.#closing) throw new StoreError('closed', 'The store is closed');
  }

  /** @param next the content that the change completes, and that then replaces everything */
  #ask<R>(
    change: (tx: Tx<Collections>, before: Reader<Collections>) => R,
    next?: PreparedContent<Collections>,
  ): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      if (this.#closing) reject(new StoreError('closed', 'The store is closed'));
      else
        this.#enqueue({
          change: AsyncLocalStorage.bind(change),
          resolve: (value) => resolve(value as R),
          reject,
          ...(next && { next }),
        });
    });
  }

  #enqueue(waiting: QueuedTransaction<Collections>): void {
    this.#queue.push(waiting);
    if (!this.#isDraining) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#queue.length > 0) {
      // Yield first, so that all transactions of one event loop iteration join the same group.
      await yieldToEventLoop();
      const group = this.#queue.splice(0, groupSize(this.#queue));
      const [first] = group;
      this.#waitingSteps = [];
      if (this.gaveUp) rejectAll(group, this.gaveUp);
      else if (first?.next) await this.#takePlace(first, first.next);
      else await this.#commit(group);
      const steps = this.#waitingSteps;
      this.#waitingSteps = undefined;
      for (const step of steps) step();
    }
    this.#isDraining = false;
  }

  async #commit(group: readonly QueuedTransaction<Collections>[]): Promise<void> {
    const earlier = new Overlay(this.#working);
    const { budget } = this.#working;
    const run = { base: this.#working, before: this.#working, budget, warn: this.#warn };
    const outcomes: Outcome[] = [];
    for (const waiting of group) {
      const previous = outcomes.at(-1);
      previous?.staged.applyTo(earlier);
      outcomes.push(runTransaction(waiting, previous ? { ...run, base: earlier } : run));
    }
    try {
      await this.#write(outcomes.map(({ changes }) => changes).filter((changes) => changes.length > 0));
    } catch (error) {
      for (const { growth } of outcomes) budget.add(-growth);
      // Reject the whole group, even transactions that only read or threw: they may have observed writes that did not happen.
      return rejectAll(outcomes, this.#noteRefusal(error));
    }
    for (const { staged, changes, settle } of outcomes) {
      staged.applyTo(this.#working);
      if (changes.length > 0) this.#notify(changes);
      settle();
    }
    this.#log.applied();
  }

  async #write(transactions: readonly Outcome['changes'][]): Promise<void> {
    if (transactions.length === 0) return;
    const flushed = this.#observer?.flushing();
    const bytes = await this.#log.commit(transactions);
    flushed?.();
    this.#observer?.committed(transactions.length, bytes);
  }

  /** Replaces everything with prepared content. Transactions submitted meanwhile run afterwards, on the new content. */
  async #takePlace(waiting: QueuedTransaction<Collections>, { working, prepared }: PreparedContent<Collections>) {
    const [{ budget }, before] = [working, this.#working];
    // Stop counting the old content first, so that a full store can be reset.
    const leaving = before.budget.used;
    before.budget.add(-leaving);
    const { staged, changes, settle, threw } = runTransaction(waiting, {
      base: working,
      before,
      budget,
      warn: this.#warn,
    });
    before.budget.add(leaving);
    if (threw) return settle();
    try {
      await prepared.commit(changes);
    } catch (error) {
      return waiting.reject(this.#noteRefusal(error));
    }
    staged.applyTo(working);
    this.#working = working;
    before.budget.release();
    this.#notify('everything');
    settle();
    this.#log.applied();
  }

  #noteRefusal(error: unknown): StoreError {
    const refusal = asRefusal(error);
    if (refusal.code === 'gave_up') this.#refusal ??= refusal;
    return refusal;
  }

  #notify(committed: Committed): void {
    for (const { notify } of this.#listeners) {
      try {
        notify(committed);
      } catch (error) {
        this.#warn(`A commit listener failed: ${String(error)}`);
      }
    }
  }
}
