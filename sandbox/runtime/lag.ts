import type { Timer } from './timer.ts';

const everyMilliseconds = 20;
/** How long what was measured counts. */
const countsMilliseconds = 200;

/**
 * How late the event loop is: a timer is set again and again, and how late it fires is how long a call waits to be
 * seen.
 */
export class Lag {
  readonly #timer: Timer;
  readonly #now: () => number;
  #measured: { readonly at: number; readonly late: number }[] = [];
  #isWatching = false;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(timer: Timer, now: () => number) {
    this.#timer = timer;
    this.#now = now;
  }

  /** The latest that the loop was in the last fifth of a second, in milliseconds. */
  get milliseconds(): number {
    const from = this.#now() - countsMilliseconds;
    return this.#measured.reduce((most, { at, late }) => (at < from ? most : Math.max(most, late)), 0);
  }

  /** Measures as long as `isNeeded`: nothing wakes an idle process. */
  watch(isNeeded: () => boolean): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const began = this.#now();
    this.#timer(() => {
      this.#isWatching = false;
      const at = this.#now();
      const from = at - countsMilliseconds;
      this.#measured = this.#measured.filter((one) => one.at >= from);
      this.#measured.push({ at, late: Math.max(0, at - began - everyMilliseconds) });
      if (isNeeded()) this.watch(isNeeded);
    }, everyMilliseconds);
  }
}
