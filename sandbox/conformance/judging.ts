import { onceRead } from './prism-view.ts';

/** Most exchanges that wait for a verdict; each holds up to a megabyte of either body. */
const mostWaiting = 32;

/** Verdicts, most of them at once; some wait for what Prism knows of their contract (OP-148). */
export class Judging {
  readonly #waiting = new Set<Promise<unknown>>();

  /** Judges, and does what follows from the verdict: at once where nothing has to be read for it. */
  judge<V, R>(judge: () => V, then: (verdict: V) => R): R | Promise<R> {
    const verdict = onceRead(judge);
    if (!(verdict instanceof Promise)) return then(verdict);
    const told = verdict.then(then);
    this.#waiting.add(told);
    return told.finally(() => this.#waiting.delete(told));
  }

  /** Whether so many wait that a further call has to wait for them. */
  get isFull(): boolean {
    return this.#waiting.size >= mostWaiting;
  }

  /** Waits until none waits any more. */
  async done(): Promise<void> {
    while (this.#waiting.size > 0) await Promise.all(this.#waiting);
  }
}
