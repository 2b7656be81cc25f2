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
    while (this.#running >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await call();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Lowers the limit. Call this if a connection was not accepted while others were open. */
  lower(): void {
    if (this.#running > fewest) this.#limit = Math.max(fewest, Math.floor(this.#limit / 4));
  }
}
