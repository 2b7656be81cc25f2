import type { Clock, ClockState } from '../runtime/clock.ts';
import { type Store, StoreError, StoreFullError } from '../store/store.ts';
import { type DueCollections, DueWork, postpone, type Work } from './work.ts';

/** Does one piece of work. It must remove or postpone the piece before it resolves. */
export type Worker = (work: Work) => Promise<void>;

/** Observes each job that ran. */
type OnRan = (work: Work) => void;

/** How long a worker that failed or left its piece lying rests. */
const restMilliseconds = 60_000;

/** How long the runner leaves a store alone that refused an outcome, in real milliseconds. */
const storePauseMilliseconds = 5_000;

/** The longest timer that the runtime can set. */
const longestTimer = 2 ** 31 - 1;

/** Runs due work, in time order, and by id where instants are the same. */
export class DueRunner {
  readonly #store: Store<DueCollections>;
  readonly #clock: Clock;
  readonly #keep: (state: ClockState) => Promise<void>;
  readonly #workers: ReadonlyMap<string, Worker>;
  readonly #warn: (message: string) => void;
  readonly #work: DueWork;
  readonly #underWay = new Set<Promise<void>>();
  /** Runs until the next piece is due. */
  #timer: NodeJS.Timeout | undefined;
  /** The instant that the timer runs to; it wakes the runner for all pieces that are due no earlier. */
  #wakesAt = Number.POSITIVE_INFINITY;
  /** Runs while the store refuses an outcome. */
  #storeTimer: NodeJS.Timeout | undefined;
  #exclusive: Promise<unknown> = Promise.resolve();
  #paused = true;
  #stopped = false;

  /** @param keep commits the new state of the clock, and then applies it; rejects if that is refused */
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

  /** From now on, work runs by itself when the clock runs. On a frozen clock only `settle` and `advance` run it. */
  start(): void {
    this.#paused = false;
    this.#wake();
  }

  /** Starts nothing more and waits for what is running. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#paused = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#storeTimer);
    // An advance in progress ends after its current piece.
    await Promise.all([this.#exclusive, ...this.#underWay]);
  }

  /** For how many milliseconds the work has been due that waits longest; 0 if none is due. */
  get lag(): number {
    const now = this.#clock.now();
    const waiting = this.#work.first(now);
    return waiting === undefined ? 0 : now - waiting.at;
  }

  /**
   * When the first piece falls due, on the sandbox clock; null if there is none. Undefined if it is unknown, as
   * while one runs.
   */
  get nextAt(): number | null | undefined {
    return this.#work.blocked > 0 ? undefined : (this.#work.first(Number.POSITIVE_INFINITY)?.at ?? null);
  }

  /** Keeps a piece from running as long as its cause is being worked on in this process. Returns the release. */
  hold(id: string): () => void {
    this.#work.reserved.add(id);
    return () => {
      this.#work.reserved.delete(id);
      this.#wake();
    };
  }

  /**
   * Runs what is due now, with the work that it causes immediately. Resolves with the number of pieces that ran: those whose
   * end, or next attempt, is written.
   *
   * @param onRan called with each, in this order
   */
  settle(onRan?: OnRan): Promise<number> {
    return this.exclusively(() => this.#runUntil(() => this.#clock.now(), onRan));
  }

  /**
   * Moves the clock forward and runs what falls due on the way, each at its own instant. Resolves with the number.
   * Rejects with `StoreError` where a move is refused; the clock then stays at the time of the last piece.
   */
  advance(milliseconds: number, onRan?: OnRan): Promise<number> {
    return this.exclusively(async () => {
      const target = this.#clock.now() + milliseconds;
      // A running clock passes the target while work runs; what is caused at the target still belongs to this advance.
      const ran = await this.#runUntil(() => Math.max(target, this.#clock.now()), onRan);
      if (!this.#stopped) await this.#moveTo(target);
      return ran;
    });
  }

  /** Runs `run` between two pieces of work: nothing else runs in the meantime, and no advance or settle. */
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

  /** Moves the clock forward; one that is there already, or past it, stays. */
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
    // A kind that runs as often as it may has no next piece: the end of one looks again.
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

  /** Runs the worker; one that throws, or leaves its piece as it was, is reported and its piece put off. */
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

  /** Keeps a piece from running until the store accepts writes. Its owner learns from the calls that a store is full. */
  #setAside({ id }: Work): void {
    this.#work.unwritten.add(id);
    // On a frozen clock, the next settle or advance runs it.
    if (this.#clock.mode === 'running') this.#retryLater();
  }

  /** Tries to write after a pause, as long as there is a piece whose outcome the store refused. */
  #retryLater(): void {
    clearTimeout(this.#storeTimer);
    if (this.#stopped) return;
    this.#storeTimer = setTimeout(() => void this.#retry(), storePauseMilliseconds).unref();
  }

  /** Reschedules the pieces if the store accepts one write. A store that never accepts one again is left alone. */
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
