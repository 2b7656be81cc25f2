import { ByteBudget } from './byte-budget.ts';
import type { CommitLog, Prepared } from './commit-log.ts';
import type { CommitObserver } from './commit-observer.ts';
import { type Asked, type Outcome, type Run, run } from './running.ts';
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
import { turn } from './turn.ts';
import { type MostUnseen, mostUnseen, Unseen } from './unseen.ts';
import type { Slice, Slices } from './view.ts';
import { Overlay, type WorkingSet } from './working-set.ts';

/** Bounds how long a batch keeps the event loop, and how long a journal line grows. */
const LARGEST_BATCH = 500;

/** What takes the place of everything. */
interface Next<Books> {
  readonly working: WorkingSet<Books>;
  readonly prepared: Prepared;
}

interface Waiting<Books> extends Asked<Books> {
  /** Set where this is the last step of a replacement. */
  readonly next?: Next<Books>;
}

/**
 * A store over any log. What is asked for in one turn of the event loop is a batch: its transactions run in call order,
 * each on top of the earlier ones, and are written as one. They are applied in that order too: at once where all before
 * them is synced and they need not be, else after the sync. A sync is shared by all that was written before it began, and
 * the next batches are written while it lasts.
 */
export class Transactor<Books> implements Store<Books> {
  #working: WorkingSet<Books>;
  readonly #log: CommitLog<Books>;
  readonly #warn: (message: string) => void;
  readonly #most: MostUnseen;
  readonly #observer: CommitObserver | undefined;
  /** What is staged is charged already. */
  #budget: ByteBudget;
  /** Never changed, but replaced: one that is added or leaves while others are told changes nothing for them. */
  #listeners: readonly ((committed: Committed) => void)[] = [];
  #queue: Waiting<Books>[] = [];
  #draining = false;
  #unseen: Unseen<Books>;
  /** Ends with the syncs under way. */
  #sync: Promise<void> | undefined;
  #isSyncing = false;
  /** Set once nothing more is accepted because the log gave up. */
  #refusal: StoreError | undefined;
  /** Ends when what was refused then is taken back. */
  #abandoned: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  /** Ends with the last replacement that was asked for. */
  #replaced: Promise<unknown> = Promise.resolve();

  constructor(
    working: WorkingSet<Books>,
    log: CommitLog<Books>,
    warn: (message: string) => void,
    {
      most = mostUnseen,
      observer,
    }: { readonly most?: MostUnseen; readonly observer?: CommitObserver | undefined } = {},
  ) {
    this.#working = working;
    this.#observer = observer;
    this.#budget = ByteBudget.of(working);
    this.#most = most;
    this.#unseen = new Unseen(working, most);
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

  ids<C extends keyof Books>(collection: C, range?: Range): readonly string[] {
    return this.#working.ids(collection, range);
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

  get paused(): boolean {
    return this.#log.paused === true;
  }

  get isFull(): boolean {
    return this.#budget.isFull;
  }

  transact<R>(change: (tx: Tx<Books>) => R): Promise<R> {
    return this.#ask(change);
  }

  async view<R>(use: (content: Slices) => Promise<R>): Promise<R> {
    const view = this.#working.view();
    try {
      return await use(view.slices());
    } finally {
      await view.close();
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
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((listener) => listener !== own);
    };
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
      .then(() => this.#settled())
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
    if (!this.#draining) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#queue.length > 0) {
      // Later, so that everything asked for in the same turn shares a batch.
      await turn();
      if (this.#log.due !== undefined) await this.#doDue();
      await this.#commit(this.#queue.splice(0, this.#sizeOfBatch()));
    }
    this.#draining = false;
  }

  /** What takes the place of everything is a batch of its own. */
  #sizeOfBatch(): number {
    const most = Math.min(this.#queue.length, LARGEST_BATCH);
    for (let at = 0; at < most; at += 1) if (this.#queue[at]?.next) return Math.max(1, at);
    return most;
  }

  async #commit(batch: readonly Waiting<Books>[]): Promise<void> {
    const [first] = batch;
    if (first?.next) return this.#takePlace(first, first.next);
    const { gaveUp } = this;
    if (gaveUp) return refuse(batch, gaveUp);
    let outcomes: readonly Outcome[] = [];
    try {
      outcomes = batch.map((waiting) => run(waiting, this.#runs(this.#unseen.staged)));
      for (const { replaced } of outcomes) this.#working.hold(replaced);
      this.#write(outcomes);
    } catch (error) {
      for (const { growth } of outcomes) this.#budget.refund(growth);
      // All of a batch, also those that only read or threw: each was decided on top of writes that did not happen.
      refuse(batch, await this.#takeBack(asRefusal(error)));
    }
  }

  /** What a change is run with, on top of what is staged. */
  #runs(staged: Overlay<Books>, budget = this.#budget): Run<Books> {
    return { staged, before: this.#working, budget, allWait: this.#log.diesWithProcess === true, warn: this.#warn };
  }

  /** Writes a batch, and answers what need not wait. */
  #write(outcomes: readonly Outcome[]): void {
    const { isEmpty, isFull } = this.#unseen;
    const isSynced = isEmpty && !outcomes.some(({ changes, waits }) => waits && changes.length > 0);
    const answered = outcomes.filter(({ waits }) => isSynced || (!waits && !isFull));
    const transactions = outcomes.map(({ changes }) => changes).filter((changes) => changes.length > 0);
    const bytes = transactions.length === 0 ? 0 : this.#log.write(transactions, answered.length > 0);
    if (transactions.length > 0) this.#observer?.committed(transactions.length, bytes);
    this.#unseen.add(outcomes, bytes);
    if (isSynced) return this.#applyWritten();
    for (const outcome of answered) outcome.settle();
    if (!this.#isSyncing) this.#sync = this.#syncAll();
  }

  /** Syncs until nobody waits for it any more. What was written and need not be synced is applied with it. */
  async #syncAll(): Promise<void> {
    this.#isSyncing = true;
    try {
      while (this.#unseen.waits) {
        this.#unseen.cover();
        const flushed = this.#observer?.flushing();
        await this.#log.sync();
        flushed?.();
        this.#applySynced();
      }
      this.#applyWritten();
    } catch (error) {
      await this.#giveUp(asRefusal(error));
    } finally {
      this.#isSyncing = false;
    }
  }

  #applySynced(): void {
    this.#apply(this.#unseen.takeCovered());
    this.#unseen.rebase();
  }

  /** Applies all that was written, with nothing before it that is still to be synced. */
  #applyWritten(): void {
    this.#apply(this.#unseen.takeWritten());
    this.#log.stand();
  }

  #apply(outcomes: readonly Outcome[]): void {
    for (const { changes, settle } of outcomes) {
      this.#working.apply(changes);
      if (changes.length > 0) this.#notify(changes);
      settle();
    }
  }

  /** Resolves when all that was written is on the disk and applied, or refused. */
  async #settled(): Promise<void> {
    while (this.#isSyncing) await this.#sync;
    if (this.gaveUp) return;
    try {
      await this.#log.sync();
    } catch (error) {
      await this.#giveUp(asRefusal(error));
    }
  }

  async #doDue(): Promise<void> {
    await this.#settled();
    if (!this.gaveUp) await this.#log.due?.();
  }

  /** Puts prepared content in place of everything. Transactions that are asked for meanwhile come after it. */
  async #takePlace(waiting: Waiting<Books>, { working, prepared }: Next<Books>): Promise<void> {
    await this.#settled();
    if (this.gaveUp) return waiting.reject(this.gaveUp);
    const budget = ByteBudget.of(working);
    const { changes, replaced, settle, threw } = run(waiting, this.#runs(new Overlay(working), budget));
    if (threw) return settle();
    try {
      working.hold(replaced);
      await prepared.commit(changes);
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal.code === 'gave_up') await this.#giveUp(refusal);
      return waiting.reject(refusal);
    }
    working.apply(changes);
    this.#working = working;
    this.#budget = budget;
    this.#unseen = new Unseen(working, this.#most);
    this.#notify('everything');
    settle();
  }

  /** After a write that failed: everything is as it was before it, or nothing more is accepted. */
  async #takeBack(refusal: StoreError): Promise<StoreError> {
    this.#unseen.dropUnwritten();
    if (refusal.code !== 'gave_up') {
      try {
        await this.#log.takeBack();
        return refusal;
      } catch (error) {
        this.#refusal ??= asRefusal(error);
      }
    }
    this.#refusal ??= refusal;
    // What was written before may still become durable.
    while (this.#isSyncing) await this.#sync;
    await this.#giveUp(this.#refusal);
    return this.#refusal;
  }

  /** Accepts nothing more, and refuses what was written and is not synced. */
  async #giveUp(refusal: StoreError): Promise<void> {
    this.#refusal ??= refusal;
    this.#abandoned ??= this.#log.abandon().catch((error) => {
      this.#refusal = asRefusal(error);
    });
    await this.#abandoned;
    refuse(this.#unseen.takeAll(), this.#refusal);
  }

  #notify(committed: Committed): void {
    for (const listener of this.#listeners) {
      try {
        listener(committed);
      } catch (error) {
        this.#warn(`A listener to commits failed: ${String(error)}`);
      }
    }
  }
}

function refuse(asked: readonly Pick<Outcome, 'reject'>[], refusal: StoreError): void {
  for (const { reject } of asked) reject(refusal);
}

function asRefusal(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('refused', `The change could not be written: ${String(error)}`, { cause: error });
}
