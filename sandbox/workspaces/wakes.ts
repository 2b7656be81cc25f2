import type { Timer } from '../runtime/timer.ts';
import { WorkQueue } from '../runtime/work-queue.ts';

/** A workspace that is to be brought back at an instant of real time. */
interface Wake {
  readonly id: string;
  readonly at: number;
  readonly kind: 'wake';
}

/** How many are brought back at the same time: whoever calls meanwhile shares disk and processor with them. */
const mostAtOnce = 8;
/** The longest timer that the runtime can set. */
const longestTimer = 2 ** 31 - 1;

/** Tells which workspaces are to be brought back when, since work of theirs falls due (OP-211). */
export class Wakes {
  readonly #queue = new WorkQueue<Wake>(() => true);
  readonly #timer: Timer;
  readonly #realTime: () => number;
  readonly #wake: (id: string) => Promise<void>;
  #underWay = 0;
  #cancel = () => {};
  #started = false;

  /** @param wake brings one back; called once for each, at its instant or later. It must not reject. */
  constructor(timer: Timer, realTime: () => number, wake: (id: string) => Promise<void>) {
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
      // Whoever is brought back looks again.
      if (this.#underWay >= mostAtOnce) return;
      this.#queue.delete(due.id);
      this.#underWay += 1;
      void this.#wake(due.id).then(() => {
        this.#underWay -= 1;
        this.#look();
      });
    }
    const next = this.#queue.first(Number.POSITIVE_INFINITY, any);
    if (next === undefined) return;
    this.#cancel = this.#timer(() => this.#look(), Math.min(Math.max(1, next.at - now), longestTimer));
  }
}
