import type { Store } from '../store/store.ts';
import type { Timer } from './timer.ts';

/** How long a caller waits, in seconds of real time, and the signal that it is no longer there. */
export interface Patience {
  readonly seconds: number;
  readonly gone: AbortSignal;
}

/** Callers who wait until the store holds what they look for. They are woken by commits; nothing is polled. */
export class Waiting {
  readonly #store: Pick<Store<unknown>, 'onCommit'>;
  readonly #timer: Timer;
  readonly #ends = new Set<() => void>();
  #stopped = false;

  constructor(store: Pick<Store<unknown>, 'onCommit'>, timer: Timer) {
    this.#store = store;
    this.#timer = timer;
  }

  /** How many callers wait. */
  get size(): number {
    return this.#ends.size;
  }

  /**
   * Resolves with what `look` finds: at once when it finds anything, else after the first commit to `collection` that lets
   * it, else when patience ends, the caller leaves or the sandbox stops.
   */
  async first<T>(collection: string, look: () => readonly T[], patience: Patience): Promise<readonly T[]> {
    const { seconds, gone } = patience;
    const found = look();
    if (found.length > 0 || seconds === 0 || this.#stopped || gone.aborted) return found;
    const { promise, resolve } = Promise.withResolvers<readonly T[]>();
    const end = () => resolve(look());
    const unsubscribe = this.#store.onCommit((changes) => {
      if (!changes.some((change) => change.collection === collection)) return;
      const now = look();
      if (now.length > 0) resolve(now);
    });
    const cancel = this.#timer(end, seconds * 1000);
    gone.addEventListener('abort', end);
    this.#ends.add(end);
    try {
      return await promise;
    } finally {
      unsubscribe();
      cancel();
      gone.removeEventListener('abort', end);
      this.#ends.delete(end);
    }
  }

  /** Ends every wait now, and lets nobody wait any more. */
  stop(): void {
    this.#stopped = true;
    for (const end of [...this.#ends]) end();
  }
}
