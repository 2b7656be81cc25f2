/** The queue for certifications requested by the workspaces of a sandbox (OP-204). */
import type { Timer } from '../runtime/clock.ts';
import type { Input, Report, RequirementVerdict } from './verdict.ts';

/** The end of a run: its report, or the reason that there is none. */
export type RunEnd = { readonly report: Report } | { readonly problem: string };

/** The input, signals and callbacks of a run. */
export interface RunControls extends Omit<RunRequest, 'share'> {
  /** Stops the run gracefully: it reports its results so far and restores the server's balances. */
  readonly ending: AbortSignal;
  /** Aborts the run immediately. */
  readonly cutting: AbortSignal;
  /** Called before the first call to the server. */
  readonly called: () => void;
}

/** A function that runs a certification. */
export type RunCertification = (controls: RunControls) => Promise<RunEnd>;

/** A queued or running certification. */
export type QueuedRun = Pick<Run, 'position' | 'begun' | 'ended' | 'end' | 'cut'>;

/** A request for a run. */
export interface RunRequest {
  readonly input: Input;
  /** The id of the share that the run belongs to. Shares alternate, so that none blocks the others. */
  readonly share: string;
  /** Called with each verdict. */
  readonly judged: (verdict: RequirementVerdict, at: { readonly done: number; readonly of: number }) => void;
}

/** Time limits before a run is stopped, and then aborted. They keep a slow server from blocking the queue. */
const longestRun = { milliseconds: 30 * 60_000, endingMilliseconds: 60_000 };

/** The runs of all workspaces of a sandbox. */
export class CertificationQueue {
  /** Maximum number of concurrent runs. `mostQueued` is the maximum number of waiting runs. */
  readonly most: number = 4;
  readonly mostQueued: number = 100;
  readonly #certify: RunCertification;
  readonly #timer: Timer;
  readonly #running = new Set<Run>();
  #queue: readonly Run[] = [];

  constructor(certify: RunCertification, timer: Timer) {
    this.#certify = certify;
    this.#timer = timer;
  }

  /** Whether the queue is full. */
  get full(): boolean {
    return this.#queue.length >= this.mostQueued;
  }

  /** Starts a run, or adds it to the queue. */
  start(request: RunRequest): QueuedRun {
    const run = new Run(request, {
      position: (waiting) => this.#positionOf(waiting),
      leave: (ended) => this.#leave(ended),
    });
    this.#queue = [...this.#queue, run];
    this.#beginNext();
    return run;
  }

  /** Removes an ended run, and starts the next one. */
  #leave(run: Run): void {
    this.#running.delete(run);
    this.#queue = this.#queue.filter((waiting) => waiting !== run);
    this.#beginNext();
  }

  #beginNext(): void {
    while (this.#running.size < this.most) {
      const next = inTurn(this.#queue, this.#running)[0];
      if (next === undefined) return;
      this.#queue = this.#queue.filter((waiting) => waiting !== next);
      this.#running.add(next);
      next.begin(this.#certify, this.#timer);
    }
  }

  /** Returns the position of a run in the queue, starting at 1, or `null` if it does not wait. */
  #positionOf(run: Run): number | null {
    const at = inTurn(this.#queue, this.#running).indexOf(run);
    return at < 0 ? null : at + 1;
  }
}

/**
 * Returns the queued runs in the order in which they will start. Shares alternate, counting running certifications. Runs in
 * the same round start in the order of their requests.
 */
function inTurn(queue: readonly Run[], running: Iterable<Run>): Run[] {
  const turns = new Map<string, number>();
  const turnOf = ({ share }: Run) => {
    const turn = turns.get(share) ?? 0;
    turns.set(share, turn + 1);
    return turn;
  };
  for (const run of running) turnOf(run);
  return queue
    .map((run) => ({ run, turn: turnOf(run) }))
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ run }) => run);
}

/** Callbacks with which a run interacts with its queue. */
interface QueueCallbacks {
  readonly position: (run: Run) => number | null;
  readonly leave: (run: Run) => void;
}

/** One run, from the queue to its end. */
class Run {
  readonly share: string;
  readonly ended: Promise<RunEnd>;
  readonly #request: RunRequest;
  readonly #queue: QueueCallbacks;
  readonly #begun = Promise.withResolvers<void>();
  /** Resolves when the run starts. */
  readonly begun = this.#begun.promise;
  readonly #end = Promise.withResolvers<RunEnd>();
  readonly #ending = new AbortController();
  readonly #cutting = new AbortController();
  #hasCalled = false;
  #isOver = false;

  constructor(request: RunRequest, queue: QueueCallbacks) {
    this.share = request.share;
    this.#request = request;
    this.#queue = queue;
    this.ended = this.#end.promise.then((end) => {
      this.#isOver = true;
      queue.leave(this);
      return end;
    });
  }

  /** The position in the queue, starting at 1, or `null` if the run has started. */
  get position(): number | null {
    return this.#isOver ? null : this.#queue.position(this);
  }

  begin(certify: RunCertification, timer: Timer): void {
    const { input, judged } = this.#request;
    const controls: RunControls = {
      input,
      ending: this.#ending.signal,
      cutting: this.#cutting.signal,
      called: () => {
        this.#hasCalled = true;
      },
      judged: (...verdict) => {
        if (!this.#isOver) judged(...verdict);
      },
    };
    // Stop the run after its time limit, and abort it if it does not stop.
    let cancel = timer(() => {
      this.end();
      cancel = timer(() => this.cut(), longestRun.endingMilliseconds);
    }, longestRun.milliseconds);
    void this.ended.then(() => cancel());
    this.#begun.resolve();
    const failed = ({ message }: Error) => ({ problem: `Internal error in the run: ${message}` });
    certify(controls).catch(failed).then(this.#end.resolve);
  }

  /** Stops the run gracefully: it reports its results so far and restores the server's balances. */
  end(): void {
    this.#ending.abort();
    if (this.#hasCalled) return;
    // Before the first call there is nothing to restore, so abort immediately.
    this.#cutting.abort();
    this.#end.resolve({ problem: 'The run was stopped before its first call.' });
  }

  /** Aborts the run immediately. */
  cut(): void {
    this.end();
    this.#cutting.abort();
    // Release the slot, even if calls are still in progress.
    this.#end.resolve({ problem: 'The run was interrupted.' });
  }
}
