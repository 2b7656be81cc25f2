import type { Timer } from '../runtime/timer.ts';

/** How long a call waits for a slot, and how often it checks for one, in milliseconds. */
const timeout = 5_000;
const checkEach = 100;

/** No memory slot became free in time. The caller may try again (OP-212). */
export class NoFreeSlot extends Error {
  constructor() {
    super('all memory slots for workspaces are in use');
  }
}

interface SlotOptions {
  /** How many workspaces can be in memory. */
  readonly most: number;
  readonly timer: Timer;
  /** Unloads an idle workspace; resolves with whether there was one. */
  readonly free: () => Promise<boolean>;
}

/** Slots for workspaces in memory. Callers that find none free wait for one in order of arrival, until a timeout. */
export class MemorySlots {
  readonly #options: SlotOptions;
  #used = 0;
  #waiting = 0;
  #turn: Promise<void> = Promise.resolve();
  #wakeNext = () => {};

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /** Workspaces that are in memory or being loaded. */
  get used(): number {
    return this.#used;
  }

  /** Takes a slot. Rejects with `NoFreeSlot` if none becomes free in time. */
  async acquire(): Promise<void> {
    if (this.#waiting === 0 && this.#used < this.#options.most) {
      this.#used += 1;
      return;
    }
    const { promise: late, reject } = Promise.withResolvers<never>();
    late.catch(() => undefined);
    let isLate = false;
    const cancel = this.#options.timer(() => {
      isLate = true;
      reject(new NoFreeSlot());
    }, timeout);
    this.#waiting += 1;
    const turn = this.#turn.then(() => this.#wait(() => isLate));
    this.#turn = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      await Promise.race([turn, late]);
    } finally {
      cancel();
      this.#waiting -= 1;
    }
  }

  /** Takes a slot even beyond the limit: for a workspace that is already in memory. */
  occupy(): void {
    this.#used += 1;
  }

  release(): void {
    this.#used -= 1;
    this.#wakeNext();
  }

  /** A workspace may have become idle. */
  recheck(): void {
    this.#wakeNext();
  }

  async #wait(isLate: () => boolean): Promise<void> {
    while (this.#used >= this.#options.most) {
      if (isLate()) throw new NoFreeSlot();
      if (!(await this.#options.free())) await this.#change();
    }
    if (isLate()) throw new NoFreeSlot();
    this.#used += 1;
  }

  /** Resolves when a slot may have become free. Background work ends without notice, so it also checks at intervals. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.timer(resolve, checkEach);
      this.#wakeNext = () => {
        this.#wakeNext = () => {};
        cancel();
        resolve();
      };
    });
  }
}
