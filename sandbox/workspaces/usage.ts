import type { ServerResponse } from 'node:http';

/** The work in progress in a workspace, and the time of its last use. A workspace counts as used while it serves a call. */
export class Usage {
  /** The number of calls and other work in progress. */
  open = 0;
  #used: number;
  readonly #realTime: () => number;
  readonly #whenIdle: (() => void) | undefined;
  #idle: (() => void) | undefined;

  /** @param whenIdle called whenever the last work in progress ends */
  constructor(used: number, realTime: () => number, whenIdle: (() => void) | undefined) {
    this.#used = used;
    this.#realTime = realTime;
    this.#whenIdle = whenIdle;
  }

  get lastUsed(): number {
    return this.open > 0 ? this.#realTime() : this.#used;
  }

  /** Runs work that is not a use of the workspace, and counts it as in progress. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.open += 1;
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  /** Counts a call as open until its reply and its work have both ended. Call `endCall` when its work has ended. */
  beginCall(response: ServerResponse): void {
    this.#used = this.#realTime();
    this.open += 1;
    // If the caller has already disconnected, no close event follows.
    if (response.closed) return;
    this.open += 1;
    response.on('close', this.endCall);
  }

  /** Ends the reply or the work of a call. The call ends when both have ended. */
  readonly endCall = (): void => {
    this.#used = this.#realTime();
    this.#end();
  };

  readonly #end = (): void => {
    this.open -= 1;
    if (this.open > 0) return;
    this.#idle?.();
    this.#whenIdle?.();
  };

  /** Resolves when no call and no other work is in progress. */
  idle(): Promise<void> {
    if (this.open === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    return promise;
  }
}
