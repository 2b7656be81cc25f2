import type { Delay } from './timer.ts';

/** Longest time that a call is held back. */
const longestMilliseconds = 10_000;

interface HeldCall {
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** Calls that are held back until one behind them was carried out, at most one for each operation (OP-70). */
export class Turns {
  readonly #delay: Delay;
  readonly #ended: AbortSignal;
  readonly #held = new Map<string, HeldCall>();

  constructor(delay: Delay, ended: AbortSignal) {
    this.#delay = delay;
    this.#ended = ended;
  }

  holds(target: string): boolean {
    return this.#held.has(target);
  }

  /** Books that a call is held back, before it waits for its turn. */
  hold(target: string): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held: HeldCall = {
      released: promise,
      release: () => {
        if (this.#held.get(target) === held) this.#held.delete(target);
        resolve();
      },
    };
    this.#held.set(target, held);
  }

  /** Resolves when the call that is held back may go on. */
  async come(target: string): Promise<void> {
    const held = this.#held.get(target);
    if (held === undefined) return;
    const over = new AbortController();
    const late = this.#delay(longestMilliseconds, AbortSignal.any([over.signal, this.#ended]));
    await Promise.race([held.released, late]);
    over.abort();
    held.release();
  }

  /** What lets go of the call that is held back right now; nothing where none is. */
  behind(target: string): () => void {
    return this.#held.get(target)?.release ?? (() => {});
  }

  release(target: string): void {
    this.#held.get(target)?.release();
  }

  releaseAll(): void {
    for (const { release } of [...this.#held.values()]) release();
  }
}
