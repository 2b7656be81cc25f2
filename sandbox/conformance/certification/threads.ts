/**
 * Certifications of a sandbox's workspaces, each in a thread of its own: loading the contracts into Prism takes seconds
 * and much memory, and the sandbox goes on meanwhile (OP-204). Nothing is loaded before somebody asks.
 */
import type { LookupAddress } from 'node:dns';
import { Worker } from 'node:worker_threads';
import type { Resolve } from '../../runtime/connecting.ts';
import type { Timer } from '../../runtime/timer.ts';
import type { Input, Report, RequirementVerdict } from './verdict.ts';

/** What a thread is given. Its addresses are judged as all that the sandbox calls (OP-60, OP-78). */
export interface ThreadTask {
  readonly input: Input;
  /** Ranges that the operator allows beside public addresses. */
  readonly allowed: readonly string[];
  /** Where the sandbox is. */
  readonly own: {
    readonly port: number | undefined;
    readonly proxyPort: number | undefined;
    readonly addresses: readonly string[];
  };
  /** The sandbox itself, for its outbox and log, and for its reference client. */
  readonly origin: string;
  readonly certificate: string | undefined;
}

/** What a thread says: how far it is, which name it wants resolved, and what came of the run. */
export type ThreadSays =
  | { readonly kind: 'called' }
  | { readonly kind: 'judged'; readonly verdict: RequirementVerdict; readonly done: number; readonly of: number }
  | { readonly kind: 'resolve'; readonly id: number; readonly name: string }
  | { readonly kind: 'ended'; readonly report: Report }
  | { readonly kind: 'refused'; readonly problem: string };

/** What a thread is told: to end in order, and what a name resolved to. */
export type ThreadTold =
  | { readonly kind: 'end' }
  | { readonly kind: 'resolved'; readonly id: number; readonly found: readonly LookupAddress[] }
  | { readonly kind: 'unresolved'; readonly id: number; readonly problem: string; readonly code: string | undefined };

/** How a run ended: with a report, or why there is none. */
export type RunEnd = { readonly report: Report } | { readonly problem: string };

/** A run that waits in the queue, or is under way. */
export interface ThreadRun {
  /** Where it stands in the queue, 1 for the next; null once it has begun. */
  readonly position: number | null;
  /** Resolves when it begins. */
  readonly begun: Promise<void>;
  readonly ended: Promise<RunEnd>;
  /** Ends it in order: what was judged is reported, and the server's balances are put right. */
  end(): void;
  /** Ends it at once. */
  cut(): void;
}

type Judged = (verdict: RequirementVerdict, at: { readonly done: number; readonly of: number }) => void;

/** A run that is asked for. */
export interface RunRequest {
  readonly task: ThreadTask;
  /** Runs of one share take turns with those of others. */
  readonly share: string;
  /** Is told of each requirement. */
  readonly judged: Judged;
}

/** Most memory of a thread; a run that needs more fails, and the sandbox does not. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };
/** How long a run can take before it is ended, and then, before it is cut off: a slow server keeps nobody waiting for ever. */
const longestRun = { milliseconds: 30 * 60_000, endingMilliseconds: 60_000 };

/** The runs of all workspaces of a sandbox. */
export class CertificationThreads {
  /** Most runs at the same time, and most that wait. */
  readonly most: number = 2;
  readonly mostQueued: number = 100;
  readonly #program: URL;
  readonly #resolve: Resolve;
  readonly #timer: Timer;
  readonly #running = new Set<Run>();
  #queue: readonly Run[] = [];

  /** @param program what a thread runs */
  constructor(program: URL, resolve: Resolve, timer: Timer) {
    this.#program = program;
    this.#resolve = resolve;
    this.#timer = timer;
  }

  /** Whether the queue takes no more. */
  get full(): boolean {
    return this.#queue.length >= this.mostQueued;
  }

  /** Starts a run, or puts it into the queue. */
  start(request: RunRequest): ThreadRun {
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
      next.begin(this.#program, this.#resolve, this.#timer);
    }
  }

  #positionOf(run: Run): number | null {
    const at = inTurn(this.#queue, this.#running).indexOf(run);
    return at < 0 ? null : at + 1;
  }
}

/**
 * The queue in the order in which its runs begin: each share has its next turn once every other one had as many, those
 * under way included. Within a turn, who came first.
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
interface Place {
  readonly position: (run: Run) => number | null;
  readonly leave: (run: Run) => void;
}

/** One run: in the queue, then in a thread, then over. */
class Run implements ThreadRun {
  readonly share: string;
  readonly ended: Promise<RunEnd>;
  readonly #request: RunRequest;
  readonly #place: Place;
  readonly #begun = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<RunEnd>();
  #worker: Worker | undefined;
  #hasCalled = false;
  #isOver = false;

  constructor(request: RunRequest, place: Place) {
    this.share = request.share;
    this.#request = request;
    this.#place = place;
    this.ended = this.#end.promise.then(async (came) => {
      this.#isOver = true;
      await this.#worker?.terminate();
      place.leave(this);
      return came;
    });
  }

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  get position(): number | null {
    return this.#isOver ? null : this.#place.position(this);
  }

  begin(program: URL, resolve: Resolve, timer: Timer): void {
    // Flags of the process, such as those of a test runner, are not for the thread.
    const options = { name: 'certification', execArgv: [], resourceLimits, workerData: this.#request.task };
    const worker = new Worker(program, options);
    this.#worker = worker;
    worker.on('message', (said: ThreadSays) => {
      if (said.kind === 'called') this.#hasCalled = true;
      else if (said.kind === 'judged') this.#request.judged(said.verdict, said);
      else if (said.kind === 'resolve')
        void lookUp(resolve, said.id, said.name).then((told) => worker.postMessage(told));
      else this.#end.resolve(said.kind === 'ended' ? { report: said.report } : { problem: said.problem });
    });
    worker.once('error', ({ message }: Error) => this.#end.resolve({ problem: `The run broke: ${message}` }));
    worker.once('exit', () => this.#end.resolve({ problem: 'The run was cut off.' }));
    this.#bound(timer);
    this.#begun.resolve();
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
    // Before its first call there is nothing to put in order.
    if (this.#hasCalled) this.#worker?.postMessage({ kind: 'end' } satisfies ThreadTold);
    else this.#end.resolve({ problem: 'The run was ended before its first call.' });
  }

  cut(): void {
    if (this.#worker === undefined) this.end();
    else void this.#worker.terminate();
  }
}

async function lookUp(resolve: Resolve, id: number, name: string): Promise<ThreadTold> {
  try {
    return { kind: 'resolved', id, found: await resolve(name) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { kind: 'unresolved', id, problem: message, code };
  }
}
