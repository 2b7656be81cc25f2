/** Limits concurrent calls to the server. The limit falls if the server does not accept all connections. */

/** The minimum limit. Even a server with a short backlog, such as Python's `http.server`, accepts this many connections. */
const fewest = 5;

/** A concurrency limit for calls, which can be lowered while calls are running. */
export class ConcurrentCalls {
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Maximum number of concurrent calls. */
  get limit(): number {
    return this.#limit;
  }

  /** Runs a call as soon as the limit permits it. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await call();
    } finally {
      // Pass the slot to the oldest waiting call, so that no new call overtakes it. A lowered limit removes the slot instead.
      const next = this.#running <= this.#limit ? this.#waiting.shift() : undefined;
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Lowers the limit. Call this if a connection was not accepted while others were open. */
  lower(): void {
    if (this.#running > fewest) this.#limit = Math.max(fewest, Math.floor(this.#limit / 4));
  }
}
