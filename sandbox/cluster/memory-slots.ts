import type { Timer } from '../runtime/clock.ts';

/** The maximum time that a call waits for a slot, and the interval between checks, in milliseconds. */
const timeout = 5_000;
const checkEach = 100;

/** The error if no memory slot became free in time. The caller may try again (OP-212). */
export class NoFreeSlot extends Error {
  constructor() {
    super('all memory slots for workspaces are in use');
  }
}

interface SlotOptions {
  /** Maximum number of workspaces in memory. */
  readonly most: number;
  readonly timer: Timer;
  /** Unloads an idle workspace. Resolves with whether there was one. */
  readonly free: () => Promise<boolean>;
}

/** The memory slots for workspaces. Callers that find no free slot wait in order of arrival, until a timeout. */
export class MemorySlots {
  readonly #options: SlotOptions;
  #used = 0;
  #waiting = 0;
  #turn: Promise<void> = Promise.resolve();
  #wakeNext = () => {};

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /** The number of workspaces that are in memory or being loaded. */
  get used(): number {
    return this.#used;
  }

  /** Acquires a slot. Rejects with `NoFreeSlot` if none becomes free in time. */
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
    this.#turn = turn.catch(() => undefined);
    try {
      await Promise.race([turn, late]);
    } finally {
      cancel();
      this.#waiting -= 1;
    }
  }

  /** Acquires a slot even beyond the limit, for a workspace that is already in memory. */
  occupy(): void {
    this.#used += 1;
  }

  release(): void {
    this.#used -= 1;
    this.#wakeNext();
  }

  /** Wakes the next waiting caller, because a workspace may have become idle. */
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

  /** Resolves when a slot may have become free. Background work ends without a notification, so this also checks at intervals. */
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
