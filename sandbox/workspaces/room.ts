import type { Timer } from '../runtime/timer.ts';

/** How long a call waits for a place, and how often it is looked whether there is one, in milliseconds. */
const patience = 5_000;
const lookEach = 100;

/** There is no place in memory, and none got free in time: who asks may come again (OP-212). */
export class NoRoom extends Error {
  constructor() {
    super('all memory slots for workspaces are in use');
  }
}

/** What the room is given. */
interface RoomOptions {
  /** How many workspaces can be in memory. */
  readonly most: number;
  readonly timer: Timer;
  /** Lets one leave that nobody needs; resolves with whether there was one. */
  readonly free: () => Promise<boolean>;
}

/** Places for workspaces in memory. Who finds none waits for one, in the order in which they came, and not for ever. */
export class Room {
  readonly #options: RoomOptions;
  #used = 0;
  #waiting = 0;
  #turn: Promise<void> = Promise.resolve();
  #look = () => {};

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** How many are in memory, or about to be. */
  get used(): number {
    return this.#used;
  }

  /** Takes a place. Rejects with `NoRoom` where none got free in time. */
  async take(): Promise<void> {
    if (this.#waiting === 0 && this.#used < this.#options.most) {
      this.#used += 1;
      return;
    }
    const { promise: late, reject } = Promise.withResolvers<never>();
    late.catch(() => undefined);
    let isLate = false;
    const cancel = this.#options.timer(() => {
      isLate = true;
      reject(new NoRoom());
    }, patience);
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

  /** Takes a place, whether there is one or not: for what is there already. */
  takeOver(): void {
    this.#used += 1;
  }

  give(): void {
    this.#used -= 1;
    this.#look();
  }

  /** Somebody may not be needed any more. */
  look(): void {
    this.#look();
  }

  async #wait(isLate: () => boolean): Promise<void> {
    while (this.#used >= this.#options.most) {
      if (isLate()) throw new NoRoom();
      if (!(await this.#options.free())) await this.#change();
    }
    if (isLate()) throw new NoRoom();
    this.#used += 1;
  }

  /** Resolves when somebody may have become free; work that ends by itself tells nobody, so it is looked again soon. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.timer(resolve, lookEach);
      this.#look = () => {
        this.#look = () => {};
        cancel();
        resolve();
      };
    });
  }
}
