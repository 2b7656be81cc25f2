import { AsyncLocalStorage } from 'node:async_hooks';
import { ByteBudget } from './byte-budget.ts';
import type { ReadableCollection } from './collection.ts';
import type { CommitLog, CommitObserver } from './commit-log.ts';
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
import { type Slice, type Slices, yieldToEventLoop } from './view.ts';
import { ReadByName, type WorkingSet } from './working-set.ts';

/**
 * A store over any log. Transactions that wait at the same time form a group: they run in call order, each on top of the
 * earlier ones, and are written as one entry (group commit). Once that is durable they are applied to memory and
 * answered, and the next group begins.
 */
export class Transactor<Collections> extends ReadByName<Collections> implements Store<Collections> {
  #working: WorkingSet<Collections>;
  readonly #log: CommitLog<Collections>;
  readonly #warn: (message: string) => void;
  readonly #observer: CommitObserver | undefined;
  readonly #beside = new ByteBudget();
  /** Never changed, but replaced: adding or removing a listener does not affect a notification in progress. */
  #listeners: readonly { readonly notify: (committed: Committed) => void }[] = [];
  readonly #queue: QueuedTransaction<Collections>[] = [];
  #isDraining = false;
  /** While a group runs and is written: the steps that wait for its end. */
  #waitingSteps: (() => void)[] | undefined;
  /** Set once nothing more is accepted because the log gave up. */
  #refusal: StoreError | undefined;
  #closing: Promise<void> | undefined;
  /** Settles with the last queued replacement. */
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
    // An object of its own, so that a listener given twice is called twice and each undo removes its own.
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
    // A refusal counts too: every earlier transaction is decided then.
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

  /** The slices, each once it is in the working set. They end early where the store closes. */
  async *#loading(working: WorkingSet<Collections>, content: Slices): AsyncGenerator<Slice, void, void> {
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
      // Deferred, so that all transactions of one turn are in one group.
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
      // All of the group, also those that only read or threw: each was decided on top of writes that did not happen.
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

  /** Replaces everything with prepared content. Transactions that are submitted in the meantime follow it. */
  async #takePlace(
    waiting: QueuedTransaction<Collections>,
    { working, prepared }: PreparedContent<Collections>,
  ): Promise<void> {
    const [{ budget }, before] = [working, this.#working];
    // What goes makes room for what takes its place, so that a full store can be reset.
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
