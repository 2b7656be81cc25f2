import type { Timer } from '../runtime/timer.ts';

/**
 * How long a caller's next read waits while there is other work, in durations of its last read. Writing the reply is not in that
 * duration: in all, the reads of a caller get less than a fifth of the event loop.
 */
const restTimes = 9;
/** Most milliseconds of a read that count: beyond them, it waited for other work. */
const mostCounted = 250;

/** A read that has its turn, until it ends or only waits. */
export interface ReadTurn {
  readonly end: () => void;
}

interface ReadTurnsOptions {
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly timer: Timer;
  /** Calls in service, among them the reads that have their turn. */
  readonly inService: () => number;
  /** Calls other than reads that were admitted so far. */
  readonly admitted: () => number;
}

/** The reads of one caller. */
interface Lane {
  isBusy: boolean;
  restsUntil: number;
  readonly queue: (() => void)[];
}

/**
 * Runs the reads of each caller one at a time, with a rest after each read during which other calls came or waited. So no
 * number of reads slows down other callers. Without other work, the next read begins immediately.
 */
export class ReadTurns {
  readonly #around: ReadTurnsOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Reads that have their turn. */
  #reads = 0;

  constructor(around: ReadTurnsOptions) {
    this.#around = around;
  }

  /** How many reads of this caller wait for their turn. */
  waiting(caller: string): number {
    return this.#lanes.get(caller)?.queue.length ?? 0;
  }

  /** Resolves when it is the turn of a read of this caller. */
  async begin(caller: string): Promise<ReadTurn> {
    const lane = this.#lanes.get(caller) ?? { isBusy: false, restsUntil: 0, queue: [] };
    this.#lanes.set(caller, lane);
    await new Promise<void>((resolve) => {
      lane.queue.push(resolve);
      this.#next(caller, lane);
    });
    const began = this.#around.now();
    const admitted = this.#around.admitted();
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#reads -= 1;
      const now = this.#around.now();
      // Callers who wait for one reply before they ask again are between two calls at any one instant.
      const isAlone = this.#around.admitted() === admitted && this.#around.inService() <= this.#reads;
      lane.restsUntil = isAlone ? now : now + restTimes * Math.min(now - began, mostCounted);
      lane.isBusy = false;
      this.#next(caller, lane);
    };
    return { end };
  }

  /** Gives the next read its turn, now or after the rest. */
  #next(caller: string, lane: Lane): void {
    if (lane.isBusy) return;
    const wait = lane.restsUntil - this.#around.now();
    if (wait > 0) {
      // The rest occupies the lane.
      lane.isBusy = true;
      this.#around.timer(() => {
        lane.isBusy = false;
        lane.restsUntil = 0;
        this.#next(caller, lane);
      }, wait);
      return;
    }
    const first = lane.queue.shift();
    if (first === undefined) return void this.#lanes.delete(caller);
    lane.isBusy = true;
    this.#reads += 1;
    first();
  }
}
