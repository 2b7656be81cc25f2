import type { Timer } from '../runtime/timer.ts';

/** How many are brought back at the same time: whoever calls meanwhile shares disk and processor with them. */
const mostAtOnce = 8;
/** The longest timer that the runtime can set. */
const longestTimer = 2 ** 31 - 1;

/** Tells which workspaces are to be brought back when, since work of theirs falls due (OP-211). */
export class Wakes {
  /** The instants of real time at which workspaces are to be brought back, by id. */
  readonly #instants = new Map<string, number>();
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
    this.#instants.set(id, at);
    this.#look();
  }

  delete(id: string): void {
    this.#instants.delete(id);
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
    const inOrder = [...this.#instants].sort(([, one], [, other]) => one - other);
    for (const [id] of inOrder.filter(([, at]) => at <= now)) {
      // Whoever is brought back looks again.
      if (this.#underWay >= mostAtOnce) return;
      this.#instants.delete(id);
      this.#underWay += 1;
      void this.#wake(id).then(() => {
        this.#underWay -= 1;
        this.#look();
      });
    }
    const [, next] = inOrder.find(([, at]) => at > now) ?? [];
    if (next === undefined) return;
    this.#cancel = this.#timer(() => this.#look(), Math.min(Math.max(1, next - now), longestTimer));
  }
}
