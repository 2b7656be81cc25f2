import type { Delay } from './timer.ts';

/** Longest delay of a call. */
const longestMilliseconds = 10_000;

interface WaitingCall {
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** Calls that wait until a later one was processed, at most one for each operation (OP-70). */
export class Turns {
  readonly #delay: Delay;
  readonly #ended: AbortSignal;
  readonly #waiting = new Map<string, WaitingCall>();

  constructor(delay: Delay, ended: AbortSignal) {
    this.#delay = delay;
    this.#ended = ended;
  }

  holds(target: string): boolean {
    return this.#waiting.has(target);
  }

  /** Registers a delayed call, before it waits for its turn. */
  hold(target: string): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const call: WaitingCall = {
      released: promise,
      release: () => {
        if (this.#waiting.get(target) === call) this.#waiting.delete(target);
        resolve();
      },
    };
    this.#waiting.set(target, call);
  }

  /** Resolves when the delayed call may continue. */
  async come(target: string): Promise<void> {
    const call = this.#waiting.get(target);
    if (call === undefined) return;
    const over = new AbortController();
    const late = this.#delay(longestMilliseconds, AbortSignal.any([over.signal, this.#ended]));
    await Promise.race([call.released, late]);
    over.abort();
    call.release();
  }

  /** Releases the call that is delayed now; undefined where there is none. */
  behind(target: string): (() => void) | undefined {
    return this.#waiting.get(target)?.release;
  }

  release(target: string): void {
    this.#waiting.get(target)?.release();
  }

  releaseAll(): void {
    for (const { release } of [...this.#waiting.values()]) release();
  }
}
