import type { ServerResponse } from 'node:http';

/** What is under way in a workspace, and when it was last used. It counts as used while it serves a call. */
export class Usage {
  /** Calls and other work under way. */
  open = 0;
  #used: number;
  readonly #realTime: () => number;
  readonly #whenIdle: (() => void) | undefined;
  #idle: (() => void) | undefined;

  /** @param whenIdle called whenever nothing is under way any more */
  constructor(used: number, realTime: () => number, whenIdle: (() => void) | undefined) {
    this.#used = used;
    this.#realTime = realTime;
    this.#whenIdle = whenIdle;
  }

  get lastUsed(): number {
    return this.open > 0 ? this.#realTime() : this.#used;
  }

  /** Counts work under way that does not count as use. Call the returned function when it ends. */
  begin(): () => void {
    this.open += 1;
    return this.#end;
  }

  /** Counts a call among those that are open, until its reply is over. */
  count(response: ServerResponse): void {
    this.#used = this.#realTime();
    // The caller disconnected before the listener was added, so no close event follows.
    if (response.closed) return;
    this.open += 1;
    response.on('close', this.endCall);
  }

  /** One thing less is under way: a call is over when its reply is, and its work too. */
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

  /** Resolves when no call is being served. */
  idle(): Promise<void> {
    if (this.open === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    return promise;
  }
}
