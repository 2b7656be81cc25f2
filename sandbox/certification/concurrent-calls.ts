/** How many calls to the server run at the same time: fewer if it does not accept as many connections. */

/** A server with a short queue of connections, such as Python's `http.server`, accepts this many. */
const fewest = 5;

/** Calls that run at the same time, up to a limit that the server's answers lower. */
export class ConcurrentCalls {
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many run at the same time at most. */
  get limit(): number {
    return this.#limit;
  }

  /** Runs a call once there is room for it. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await call();
    } finally {
      this.#running -= 1;
      this.#admit();
    }
  }

  /** Lowers the limit after a connection was not accepted while others were open. */
  lower(): void {
    if (this.#running > fewest) this.#limit = Math.max(fewest, Math.floor(this.#limit / 4));
  }

  #enter(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#admit();
    });
  }

  #admit(): void {
    while (this.#running < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running += 1;
      next();
    }
  }
}
