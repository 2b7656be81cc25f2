import type { Clock, ClockState } from '../runtime/clock.ts';
import { digits } from '../runtime/numbering.ts';
import { type Store, StoreError, StoreFullError } from '../store/store.ts';
import { Unwritten } from './unwritten.ts';
import { type DueBooks, postpone, type Work } from './work.ts';

/** Does one piece of work. It must remove or postpone the piece before it resolves. */
export type Worker = (work: Work) => Promise<void>;

/** Observes each job that ran. */
type OnRan = (work: Work) => void;

const ignore: OnRan = () => {};

/**
 * Pieces of one kind that run at the same time while time runs by itself, so that what is slow of one kind holds no
 * other back (OP-92); in an advance all run one after the other.
 */
const atOnce = 4;

/** How long a worker that failed or left its piece lying rests. */
const restMilliseconds = 60_000;

/** Pieces that are looked at together, for one that may run. */
const lookedAtOnce = 8;

/** The longest timer that the runtime can set. */
const longestTimer = 2 ** 31 - 1;

/** Runs due work, in time order, and by id where instants are the same. */
export class DueRunner {
  readonly #store: Store<DueBooks>;
  readonly #clock: Clock;
  readonly #keep: (state: ClockState) => Promise<void>;
  readonly #workers: ReadonlyMap<string, Worker>;
  readonly #warn: (message: string) => void;
  readonly #running = new Map<string, { readonly kind: string; readonly ended: Promise<void> }>();
  readonly #reserved = new Set<string>();
  /** The kinds of work that there may be: of some no worker may know. */
  readonly #kinds: Set<string>;
  readonly #unwritten: Unwritten;
  #timer: NodeJS.Timeout | undefined;
  #exclusive: Promise<unknown> = Promise.resolve();
  #paused = true;
  #stopped = false;

  /** @param keep commits where the clock is to stand, and lets it follow; rejects where that is refused */
  constructor(
    store: Store<DueBooks>,
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
    this.#unwritten = new Unwritten({ write: (id) => this.#writeAgain(id), onWritable: () => this.#wake() });
    this.#kinds = new Set(this.#workers.keys());
    this.#addKinds(store.all('due'));
    store.onCommit((committed) => {
      if (committed === 'everything') {
        this.#unwritten.clear();
        this.#addKinds(store.all('due'));
        this.#wake();
        return;
      }
      const changes = committed.filter(({ collection }) => collection === 'due');
      if (changes.length === 0) return;
      for (const { id, record } of changes) {
        this.#unwritten.delete(id);
        if (record !== undefined) this.#addKinds([record as Work]);
      }
      this.#wake();
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
    this.#unwritten.stop();
    // An advance under way ends after the piece that it is at.
    await Promise.all([this.#exclusive, ...this.#underWay()]);
  }

  /** For how many milliseconds the work has been due that waits longest; 0 where none is due. */
  get lag(): number {
    const now = this.#clock.now();
    const waiting = this.#first(now);
    return waiting === undefined ? 0 : now - waiting.at;
  }

  /**
   * When the first piece falls due, on the sandbox clock; null where there is none. Undefined where nobody can say, as
   * while one runs.
   */
  get nextAt(): number | null | undefined {
    if (this.#running.size + this.#reserved.size > 0 || this.#unwritten.any) return undefined;
    return this.#first(Number.POSITIVE_INFINITY)?.at ?? null;
  }

  /** Keeps a piece from running as long as its cause is being worked on in this process. Returns the release. */
  hold(id: string): () => void {
    this.#reserved.add(id);
    return () => {
      this.#reserved.delete(id);
      this.#wake();
    };
  }

  /**
   * Runs what is due now, with what that causes at once. Resolves with the number of pieces that ran: those whose end,
   * or next try, is written.
   *
   * @param onRan called with each, in this order
   */
  settle(onRan: OnRan = ignore): Promise<number> {
    return this.exclusively(() => this.#runUntil(() => this.#clock.now(), onRan));
  }

  /**
   * Moves the clock forward and runs what falls due on the way, each at its own instant. Resolves with the number.
   * Rejects with `StoreError` where a move is refused; the clock then stands where the last piece ran.
   */
  advance(milliseconds: number, onRan: OnRan = ignore): Promise<number> {
    return this.exclusively(async () => {
      const target = this.#clock.now() + milliseconds;
      // A running clock passes the target while work runs; what is caused at the target still belongs to this advance.
      const ran = await this.#runUntil(() => Math.max(target, this.#clock.now()), onRan);
      if (!this.#stopped) await this.#moveTo(target);
      return ran;
    });
  }

  /** Runs `run` between two pieces of work: nothing runs by itself meanwhile, and no advance or settle. */
  exclusively<R>(run: () => Promise<R>): Promise<R> {
    const result = this.#exclusive.then(async () => {
      const wasPaused = this.#paused;
      this.#paused = true;
      clearTimeout(this.#timer);
      try {
        await Promise.all(this.#underWay());
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

  async #runUntil(target: () => number, onRan: OnRan): Promise<number> {
    let ran = 0;
    this.#unwritten.clear();
    for (let work = this.#next(target()); work !== undefined && !this.#stopped; work = this.#next(target())) {
      await this.#moveTo(work.at);
      await this.#run(work);
      if (this.#unwritten.has(work.id)) continue;
      onRan(work);
      ran += 1;
    }
    return ran;
  }

  /** Moves the clock forward; one that is there already, or past it, stays. */
  async #moveTo(instant: number): Promise<void> {
    if (instant > this.#clock.now()) await this.#keep(this.#clock.at(instant));
  }

  #addKinds(works: Iterable<Work>): void {
    for (const { kind } of works) this.#kinds.add(kind);
  }

  /** The first piece that may run, of what has come by an instant, of the kinds that have a place left. */
  #next(until: number): Work | undefined {
    const running = [...this.#running.values()];
    return this.#first(until, (kind) => running.filter((piece) => piece.kind === kind).length < atOnce);
  }

  /** The first piece that may run, of what has come by an instant, of the kinds that are wanted. */
  #first(until: number, isWanted: (kind: string) => boolean = () => true): Work | undefined {
    let first: Work | undefined;
    for (const kind of this.#kinds) {
      const found = isWanted(kind) ? this.#firstOf(kind) : undefined;
      if (found === undefined || found.at > until) continue;
      if (first === undefined || found.at < first.at || (found.at === first.at && found.id < first.id)) first = found;
    }
    return first;
  }

  #firstOf(kind: string): Work | undefined {
    const order = { by: 'time', group: kind, limit: lookedAtOnce };
    let works = this.#store.range('due', order);
    while (works.length > 0) {
      const free = works.find((work) => !this.#isSetAside(work));
      const last = works.at(-1);
      if (free !== undefined || last === undefined) return free;
      works = this.#store.range('due', { ...order, after: digits(last.at, 16), id: last.id });
    }
    return undefined;
  }

  #isSetAside({ id }: Work): boolean {
    return this.#reserved.has(id) || this.#running.has(id) || this.#unwritten.has(id);
  }

  #wake(): void {
    if (this.#paused || this.#clock.mode === 'frozen') return;
    clearTimeout(this.#timer);
    for (let work = this.#next(this.#clock.now()); work !== undefined; work = this.#next(this.#clock.now())) {
      void this.#run(work);
    }
    // Whoever ends a piece of a kind that has no place left looks again.
    const next = this.#next(Number.POSITIVE_INFINITY);
    if (next === undefined) return;
    const wait = Math.max(1, next.at - this.#clock.now());
    this.#timer = setTimeout(() => this.#wake(), Math.min(wait, longestTimer)).unref();
  }

  #run(work: Work): Promise<void> {
    const ended = this.#attempt(work).finally(() => {
      this.#running.delete(work.id);
      this.#wake();
    });
    this.#running.set(work.id, { kind: work.kind, ended });
    return ended;
  }

  #underWay(): Promise<void>[] {
    return Array.from(this.#running.values(), ({ ended }) => ended);
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

  /** Runs a piece no more until the store takes writes again. Its owner learns from the calls that a store is full. */
  #setAside({ id }: Work): void {
    this.#unwritten.add(id);
    // On a frozen clock it is tried again when somebody asks for what is due.
    if (this.#clock.mode === 'running') this.#unwritten.askLater();
  }

  async #writeAgain(id: string): Promise<void> {
    if (this.#store.isFull) throw new StoreError('full', 'no space was freed');
    await this.#store.transact((tx) => {
      const work = tx.get('due', id);
      if (work !== undefined) tx.put('due', id, work);
    });
  }
}
