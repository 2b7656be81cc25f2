/**
 * Certifications of a sandbox's workspaces, each in a thread of its own: loading the contracts into Prism takes seconds
 * and much memory, and the sandbox goes on meanwhile (OP-204). Nothing is loaded before somebody asks.
 */
import type { LookupAddress } from 'node:dns';
import { Worker } from 'node:worker_threads';
import type { Resolve } from '../../runtime/connecting.ts';
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

/** A run under way. */
export interface ThreadRun {
  readonly ended: Promise<RunEnd>;
  /** Ends it in order: what was judged is reported, and the server's balances are put right. */
  end(): void;
  /** Ends it at once. */
  cut(): void;
}

type Judged = (verdict: RequirementVerdict, at: { readonly done: number; readonly of: number }) => void;

/** Most memory of a thread; a run that needs more fails, and the sandbox does not. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/** The runs of all workspaces of a sandbox. */
export class CertificationThreads {
  /** Most runs at once. */
  readonly most: number = 2;
  readonly #program: URL;
  readonly #resolve: Resolve;
  readonly #running = new Set<ThreadRun>();

  /** @param program what a thread runs */
  constructor(program: URL, resolve: Resolve) {
    this.#program = program;
    this.#resolve = resolve;
  }

  get full(): boolean {
    return this.#running.size >= this.most;
  }

  /** Starts a run. `judged` is told of each requirement. */
  start(task: ThreadTask, judged: Judged): ThreadRun {
    // Flags of the process, such as those of a test runner, are not for the thread.
    const options = { name: 'certification', execArgv: [], resourceLimits, workerData: task };
    const worker = new Worker(this.#program, options);
    const tell = (told: ThreadTold) => worker.postMessage(told);
    const { promise, resolve: end } = Promise.withResolvers<RunEnd>();
    let called = false;
    worker.on('message', (said: ThreadSays) => {
      if (said.kind === 'called') called = true;
      else if (said.kind === 'judged') judged(said.verdict, said);
      else if (said.kind === 'resolve') void this.#lookUp(said.id, said.name).then(tell);
      else end(said.kind === 'ended' ? { report: said.report } : { problem: said.problem });
    });
    worker.once('error', ({ message }: Error) => end({ problem: `The run broke: ${message}` }));
    worker.once('exit', () => end({ problem: 'The run was cut off.' }));
    const ended = promise.then(async (came) => {
      await worker.terminate();
      this.#running.delete(run);
      return came;
    });
    const run: ThreadRun = {
      ended,
      // Before its first call there is nothing to put in order.
      end: () => (called ? tell({ kind: 'end' }) : end({ problem: 'The run was ended before its first call.' })),
      cut: () => void worker.terminate(),
    };
    this.#running.add(run);
    return run;
  }

  async #lookUp(id: number, name: string): Promise<ThreadTold> {
    try {
      return { kind: 'resolved', id, found: await this.#resolve(name) };
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      return { kind: 'unresolved', id, problem: message, code };
    }
  }
}
