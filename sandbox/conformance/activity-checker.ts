import { Worker } from 'node:worker_threads';
import type { components } from '../../generated/sandbox/types.ts';
import type { ActivityEntry } from '../runtime/activity-entry.ts';
import type { Wire } from '../runtime/wire.ts';

/** A finding with the number of its call's entry (OP-66). */
export type FoundInCall = components['schemas']['Finding'];

/** What the thread is asked: to check a stretch of a log, or, without entries, to forget the log. */
export interface LogQuestion {
  readonly id: number;
  readonly log: string;
  readonly entries?: readonly Noted[];
}

/** An entry of a log, and its call as it was where that is still held. */
export interface Noted {
  readonly entry: ActivityEntry;
  readonly wire: Wire | undefined;
}

/** What came of a stretch: what was found, without notices, and how many calls could not be looked into whole. */
export interface Checked {
  readonly findings: readonly FoundInCall[];
  readonly unchecked: number;
}

export type Answered = Checked & { readonly id: number };

type Waiter = Omit<PromiseWithResolvers<Checked>, 'promise'>;

interface Thread {
  readonly worker: Worker;
  readonly waiters: Map<number, Waiter>;
}

/** Most memory of the thread; a check that needs more fails, and the sandbox does not. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };
const file = import.meta.url.endsWith('.ts') ? './activity-worker.ts' : './activity-worker.js';

/**
 * Holds activity logs of all workspaces against the contracts, in a thread that starts with the first check and ends
 * with the sandbox (OP-66). A thread that failed is started anew by the next check.
 */
export class ActivityChecker {
  readonly #program: URL;
  readonly #warn: (message: string) => void;
  #thread: Thread | undefined;
  #asked = 0;

  /** @param program what the thread runs */
  constructor(warn: (message: string) => void, program = new URL(file, import.meta.url)) {
    this.#warn = warn;
    this.#program = program;
  }

  /** Checks the next entries of a log. Rejects when the check fails; of the logs nothing is known any more then. */
  check(log: string, entries: readonly Noted[]): Promise<Checked> {
    this.#thread ??= this.#start();
    const { worker, waiters } = this.#thread;
    const { promise, ...waiter } = Promise.withResolvers<Checked>();
    const id = ++this.#asked;
    waiters.set(id, waiter);
    worker.postMessage({ id, log, entries } satisfies LogQuestion);
    return promise;
  }

  /** Drops what is remembered of a log. */
  forget(log: string): void {
    this.#thread?.worker.postMessage({ id: 0, log } satisfies LogQuestion);
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    this.#fail(thread, new Error('the sandbox stops'));
    await thread.worker.terminate();
  }

  #start(): Thread {
    // Flags of the process, such as those of a test runner, are not for the thread.
    const worker = new Worker(this.#program, { name: 'contract check', execArgv: [], resourceLimits });
    const thread: Thread = { worker, waiters: new Map() };
    worker.on('message', ({ id, ...checked }: Answered) => {
      thread.waiters.get(id)?.resolve(checked);
      thread.waiters.delete(id);
    });
    worker.once('error', (error: Error) => this.#ended(thread, error));
    worker.once('exit', (code) => this.#ended(thread, new Error(`its thread ended with code ${code}`)));
    return thread;
  }

  /** The thread ended by itself. */
  #ended(thread: Thread, error: Error): void {
    if (this.#thread !== thread) return;
    this.#warn(`The check of the activity log failed: ${error.message}`);
    this.#fail(thread, error);
  }

  #fail(thread: Thread, error: Error): void {
    this.#thread = undefined;
    for (const { reject } of thread.waiters.values()) reject(error);
    thread.waiters.clear();
  }
}
