import type { Clock, ClockState } from '../runtime/clock.ts';
import { type Store, StoreError, StoreFullError } from '../store/store.ts';
import { type DueCollections, DueWork, postpone, type Work } from './work.ts';

/** Runs one job. A worker must remove or postpone the job before it resolves. */
export type Worker = (work: Work) => Promise<void>;

/** A function called for each job that ran. */
type OnRan = (work: Work) => void;

/** Delay before a job is retried if its worker failed, or neither removed nor postponed it. */
const restMilliseconds = 60_000;

/** Delay before the runner writes again to a store that refused an outcome, in real milliseconds. */
const storePauseMilliseconds = 5_000;

/** The longest timer that the runtime supports, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Runs due jobs in time order, and by id if their times are equal. */
export class DueRunner {
  readonly #store: Store<DueCollections>;
  readonly #clock: Clock;
  readonly #keep: (state: ClockState) => Promise<void>;
  readonly #workers: ReadonlyMap<string, Worker>;
  readonly #warn: (message: string) => void;
  readonly #work: DueWork;
  readonly #underWay = new Set<Promise<void>>();
  /** Timer for the next due job. */
  #timer: NodeJS.Timeout | undefined;
  /** The time at which the timer ends. It then wakes the runner for all jobs due by that time. */
  #wakesAt = Number.POSITIVE_INFINITY;
  /** Timer for the next write attempt, active while the store refuses an outcome. */
  #storeTimer: NodeJS.Timeout | undefined;
  #exclusive: Promise<unknown> = Promise.resolve();
  #paused = true;
  #stopped = false;

  /** @param keep commits the new state of the clock and then applies it; rejects if the store refuses it */
  constructor(
    store: Store<DueCollections>,
    clock: Clock,
    keep: (state: ClockState) => Promise<void>,
    workers: Readonly<Record<string, Worker>>,
    warn: (message: string) => void,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#keep = keep;
    this.#workers = new Map(Object.entries(workers));
    this.#warn = warn;
    this.#work = new DueWork(store, this.#workers.keys());
    store.onCommit((committed) => {
      const earliest = this.#work.follow(committed);
      if (earliest !== undefined && earliest < this.#wakesAt) this.#wake();
    });
  }

  /** Starts to run due jobs automatically while the clock runs. On a frozen clock, only `settle` and `advance` run them. */
  start(): void {
    this.#paused = false;
    this.#wake();
  }

  /** Starts no more jobs, and waits for the running ones. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#paused = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#storeTimer);
    // An advance in progress ends after its current job.
    await Promise.all([this.#exclusive, ...this.#underWay]);
  }

  /** Milliseconds for which the oldest waiting job has been due; 0 if none is due. */
  get lag(): number {
    const now = this.#clock.now();
    const waiting = this.#work.first(now);
    return waiting === undefined ? 0 : now - waiting.at;
  }

  /**
   * Time at which the first job is due, on the sandbox clock, or null if there is none. It is `undefined` if the time is unknown,
   * for example while a job runs.
   */
  get nextAt(): number | null | undefined {
    return this.#work.blocked > 0 ? undefined : (this.#work.first(Number.POSITIVE_INFINITY)?.at ?? null);
  }

  /** Prevents a job from running while this process still works on its cause. Returns a function that releases the job. */
  hold(id: string): () => void {
    this.#work.reserved.add(id);
    return () => {
      this.#work.reserved.delete(id);
      this.#wake();
    };
  }

  /**
   * Runs all due jobs, including those that they cause immediately. Resolves with the number of jobs whose outcome or next attempt
   * was stored.
   *
   * @param onRan called for each of these jobs, in order
   */
  settle(onRan?: OnRan): Promise<number> {
    return this.exclusively(() => this.#runUntil(() => this.#clock.now(), onRan));
  }

  /**
   * Moves the clock forward and runs each job that falls due on the way at its own time. Resolves with the number of jobs that ran.
   * Rejects with `StoreError` if the store refuses a move. The clock then stays at the time of the last job.
   */
  advance(milliseconds: number, onRan?: OnRan): Promise<number> {
    return this.exclusively(async () => {
      const target = this.#clock.now() + milliseconds;
      // A running clock passes the target while jobs run. Jobs caused at the target still belong to this advance.
      const ran = await this.#runUntil(() => Math.max(target, this.#clock.now()), onRan);
      if (!this.#stopped) await this.#moveTo(target);
      return ran;
    });
  }

  /** Runs `run` between two jobs. No other job, advance or settle runs meanwhile. */
  exclusively<R>(run: () => Promise<R>): Promise<R> {
    const result = this.#exclusive.then(async () => {
      const wasPaused = this.#paused;
      this.#paused = true;
      clearTimeout(this.#timer);
      this.#wakesAt = Number.POSITIVE_INFINITY;
      try {
        await Promise.all(this.#underWay);
        await this.#store.flush();
        return await run();
      } finally {
        this.#paused = wasPaused || this.#stopped;
        this.#wake();
      }
    });
    this.#exclusive = result.catch(() => undefined);
    return result;
  }

  async #runUntil(target: () => number, onRan?: OnRan): Promise<number> {
    let ran = 0;
    this.#work.unwritten.clear();
    for (let work = this.#work.next(target()); work !== undefined && !this.#stopped; work = this.#work.next(target())) {
      await this.#moveTo(work.at);
      await this.#run(work);
      if (this.#work.unwritten.has(work.id)) continue;
      onRan?.(work);
      ran += 1;
    }
    return ran;
  }

  /** Moves the clock forward, unless it has already reached the time. */
  async #moveTo(instant: number): Promise<void> {
    if (instant > this.#clock.now()) await this.#keep(this.#clock.at(instant));
  }

  #wake(): void {
    if (this.#paused || this.#clock.mode === 'frozen') return;
    clearTimeout(this.#timer);
    this.#wakesAt = Number.POSITIVE_INFINITY;
    let next = this.#work.next(Number.POSITIVE_INFINITY);
    for (; next !== undefined && next.at <= this.#clock.now(); next = this.#work.next(Number.POSITIVE_INFINITY)) {
      void this.#run(next);
    }
    // A kind at its concurrency limit has no next job. The end of a running one triggers another check.
    if (next === undefined) return;
    this.#wakesAt = next.at;
    const wait = Math.max(1, next.at - this.#clock.now());
    this.#timer = setTimeout(() => this.#wake(), Math.min(wait, longestTimer)).unref();
  }

  #run(work: Work): Promise<void> {
    this.#work.running.set(work.id, work.kind);
    const ended = this.#attempt(work).finally(() => {
      this.#work.running.delete(work.id);
      this.#underWay.delete(ended);
      this.#wake();
    });
    this.#underWay.add(ended);
    return ended;
  }

  /** Runs the worker of a job. If it throws, or leaves the job unchanged, reports the failure and postpones the job. */
  async #attempt(work: Work): Promise<void> {
    try {
      const worker = this.#workers.get(work.kind);
      if (worker === undefined) throw new Error('no worker for this kind');
      await worker(work);
      if (this.#store.get('due', work.id) !== work) return;
      throw new Error('the worker neither completed nor postponed it');
    } catch (error) {
      if (error instanceof StoreFullError) return this.#setAside(work);
      this.#warn(`Scheduled task ${work.kind} (${work.id}) failed: ${(error as Error).message}`);
      await this.#rest(work);
    }
  }

  async #rest(work: Work): Promise<void> {
    try {
      await this.#store.transact((tx) => {
        if (tx.get('due', work.id) !== undefined) postpone(tx, work, this.#clock.now() + restMilliseconds);
      });
    } catch (error) {
      if (!(error instanceof StoreFullError))
        this.#warn(`Cannot postpone scheduled task ${work.id}: ${(error as Error).message}`);
      this.#setAside(work);
    }
  }

  /** Prevents a job from running until the store accepts writes. Failed calls already notify the owner that the store is full. */
  #setAside({ id }: Work): void {
    this.#work.unwritten.add(id);
    // On a frozen clock, the next settle or advance runs the job.
    if (this.#clock.mode === 'running') this.#retryLater();
  }

  /** Schedules another write attempt while the store refuses the outcome of any job. */
  #retryLater(): void {
    clearTimeout(this.#storeTimer);
    if (this.#stopped) return;
    this.#storeTimer = setTimeout(() => void this.#retry(), storePauseMilliseconds).unref();
  }

  /** Reschedules the refused jobs if the store accepts one write. Stops retrying if the store can never accept writes again. */
  async #retry(): Promise<void> {
    const [id] = this.#work.unwritten;
    if (id === undefined) return;
    if (this.#store.isFull) return this.#retryLater();
    try {
      await this.#store.transact((tx) => {
        const work = tx.get('due', id);
        if (work !== undefined) tx.put('due', id, work);
      });
      this.#work.unwritten.clear();
      this.#wake();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === 'refused' || error.code === 'full') this.#retryLater();
    }
  }
}
