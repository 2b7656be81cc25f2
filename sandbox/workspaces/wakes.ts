import type { Timer } from '../runtime/timer.ts';
import { WorkQueue } from '../runtime/work-queue.ts';

/** A workspace that is to be brought back at an instant of real time. */
interface Wake {
  readonly id: string;
  readonly at: number;
  readonly kind: 'wake';
}

/** The longest timer that the runtime can set. */
const longestTimer = 2 ** 31 - 1;

/** Tells which workspaces are to be brought back when, since work of theirs falls due (OP-211). */
export class Wakes {
  readonly #queue = new WorkQueue<Wake>(() => true);
  readonly #timer: Timer;
  readonly #realTime: () => number;
  readonly #wake: (id: string) => void;
  #cancel = () => {};
  #started = false;

  /** @param wake is told of each once, at its instant or later */
  constructor(timer: Timer, realTime: () => number, wake: (id: string) => void) {
    this.#timer = timer;
    this.#realTime = realTime;
    this.#wake = wake;
  }

  set(id: string, at: number): void {
    this.#queue.set({ id, at, kind: 'wake' });
    this.#look();
  }

  delete(id: string): void {
    this.#queue.delete(id);
  }

  start(): void {
    this.#started = true;
    this.#look();
  }

  stop(): void {
    this.#started = false;
    this.#cancel();
  }

  #look(): void {
    if (!this.#started) return;
    this.#cancel();
    const now = this.#realTime();
    const any = () => true;
    for (let due = this.#queue.first(now, any); due !== undefined; due = this.#queue.first(now, any)) {
      this.#queue.delete(due.id);
      this.#wake(due.id);
    }
    const next = this.#queue.first(Number.POSITIVE_INFINITY, any);
    if (next === undefined) return;
    this.#cancel = this.#timer(() => this.#look(), Math.min(Math.max(1, next.at - now), longestTimer));
  }
}
