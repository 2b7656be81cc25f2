import type { ServerResponse } from 'node:http';

/** The work in progress in a workspace, and when it was last used. It counts as used while it serves a call. */
export class Usage {
  /** Calls and other work in progress. */
  open = 0;
  #used: number;
  readonly #realTime: () => number;
  readonly #whenIdle: (() => void) | undefined;
  #idle: (() => void) | undefined;

  /** @param whenIdle called whenever nothing is in progress any longer */
  constructor(used: number, realTime: () => number, whenIdle: (() => void) | undefined) {
    this.#used = used;
    this.#realTime = realTime;
    this.#whenIdle = whenIdle;
  }

  get lastUsed(): number {
    return this.open > 0 ? this.#realTime() : this.#used;
  }

  /** Counts work in progress that does not count as use. Call the returned function when it ends. */
  begin(): () => void {
    this.open += 1;
    return this.#end;
  }

  /** Counts a call as open until its reply has ended, and its work: call `endCall` then. */
  beginCall(response: ServerResponse): void {
    this.#used = this.#realTime();
    this.open += 1;
    // The caller disconnected before the listener was added, so no close event follows.
    if (response.closed) return;
    this.open += 1;
    response.on('close', this.endCall);
  }

  /** Ends one piece of work: a call ends when its reply and its work have. */
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
