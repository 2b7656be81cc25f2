/** Certifications that the workspaces of a sandbox ask for: who runs, who waits, and for how long (OP-204). */
import type { Timer } from '../runtime/timer.ts';
import type { Input, Report, RequirementVerdict } from './verdict.ts';

/** How a run ended: with a report, or why there is none. */
export type RunEnd = { readonly report: Report } | { readonly problem: string };

/** What a run is given, and what it says. */
export interface RunControls {
  readonly input: Input;
  /** Ends it in order: what was tested is reported, and the server's balances are restored. */
  readonly ending: AbortSignal;
  /** Aborts everything in progress. */
  readonly cutting: AbortSignal;
  /** Called before the first call to the server. */
  readonly called: () => void;
  /** Called with each verdict. */
  readonly judged: VerdictHandler;
}

/** Certifies a server. */
export type RunCertification = (controls: RunControls) => Promise<RunEnd>;

/** A run in the queue, or in progress. */
export interface QueuedRun {
  /** Its position in the queue, 1 for the next; null once it has started. */
  readonly position: number | null;
  /** Resolves when it begins. */
  readonly begun: Promise<void>;
  readonly ended: Promise<RunEnd>;
  /** Ends it in order: what was tested is reported, and the server's balances are restored. */
  end(): void;
  /** Ends it immediately. */
  cut(): void;
}

type VerdictHandler = (verdict: RequirementVerdict, at: { readonly done: number; readonly of: number }) => void;

/** A requested run. */
export interface RunRequest {
  readonly input: Input;
  /** Runs of one share take turns with those of others. */
  readonly share: string;
  /** Called with each verdict. */
  readonly judged: VerdictHandler;
}

/** How long a run may take before it is ended, and then before it is aborted: a slow server must not block the queue. */
const longestRun = { milliseconds: 30 * 60_000, endingMilliseconds: 60_000 };

/** The runs of all workspaces of a sandbox. */
export class CertificationQueue {
  /** Most runs at the same time, and most that wait. */
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

  /** Whether the queue takes no more. */
  get full(): boolean {
    return this.#queue.length >= this.mostQueued;
  }

  /** Starts a run, or puts it into the queue. */
  start(request: RunRequest): QueuedRun {
    const run = new Run(request, {
      position: (waiting) => this.#positionOf(waiting),
      leave: (left) => this.#leave(left),
    });
    this.#queue = [...this.#queue, run];
    this.#beginNext();
    return run;
  }

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

  #positionOf(run: Run): number | null {
    const at = inTurn(this.#queue, this.#running).indexOf(run);
    return at < 0 ? null : at + 1;
  }
}

/**
 * The queue in the order in which its runs begin: each share has its next turn once every other one had as many, those
 * in progress included. Within a turn, first come, first served.
 */
export function inTurn<R extends { readonly share: string }>(queue: readonly R[], running: Iterable<R>): R[] {
  const turns = new Map<string, number>();
  const turnOf = ({ share }: R) => {
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

/** What a run needs of the others. */
interface QueuePosition {
  readonly position: (run: Run) => number | null;
  readonly leave: (run: Run) => void;
}

/** One run: in the queue, then in progress, then finished. */
class Run implements QueuedRun {
  readonly share: string;
  readonly ended: Promise<RunEnd>;
  readonly #request: RunRequest;
  readonly #place: QueuePosition;
  readonly #begun = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<RunEnd>();
  readonly #ending = new AbortController();
  readonly #cutting = new AbortController();
  #hasCalled = false;
  #isOver = false;

  constructor(request: RunRequest, place: QueuePosition) {
    this.share = request.share;
    this.#request = request;
    this.#place = place;
    this.ended = this.#end.promise.then((end) => {
      this.#isOver = true;
      place.leave(this);
      return end;
    });
  }

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  get position(): number | null {
    return this.#isOver ? null : this.#place.position(this);
  }

  begin(certify: RunCertification, timer: Timer): void {
    const { input, judged } = this.#request;
    const controls = {
      input,
      ending: this.#ending.signal,
      cutting: this.#cutting.signal,
      called: () => {
        this.#hasCalled = true;
      },
      judged: (...verdict: Parameters<VerdictHandler>) => {
        if (!this.#isOver) judged(...verdict);
      },
    };
    this.#bound(timer);
    this.#begun.resolve();
    certify(controls).then(this.#end.resolve, ({ message }: Error) =>
      this.#end.resolve({ problem: `Internal error in the run: ${message}` }),
    );
  }

  /** Ends it after the longest time that a run can take, and cuts it off where it does not end. */
  #bound(timer: Timer): void {
    let cancel = timer(() => {
      this.end();
      cancel = timer(() => this.cut(), longestRun.endingMilliseconds);
    }, longestRun.milliseconds);
    void this.ended.then(() => cancel());
  }

  end(): void {
    this.#ending.abort();
    if (this.#hasCalled) return;
    // Before its first call there is nothing to put in order, and none is made.
    this.#cutting.abort();
    this.#end.resolve({ problem: 'The run was stopped before its first call.' });
  }

  cut(): void {
    this.end();
    this.#cutting.abort();
    // It has its place no longer, whatever is still on its way.
    this.#end.resolve({ problem: 'The run was interrupted.' });
  }
}
