import type { Patience } from '../contract/types.ts';
import type { Store } from '../store/store.ts';
import { turn } from '../store/turn.ts';
import type { Timer } from './timer.ts';

/** Callers who can wait at once; another one is answered as if its patience had ended (OP-59). */
const mostWaiters = 200;

interface Waiter {
  readonly collection: PropertyKey;
  /** Looks again, and ends the wait when that finds anything. */
  readonly look: () => void;
  readonly end: () => void;
}

/**
 * Callers who wait until the store holds what they look for. They are woken by commits; nothing is polled. Those whom a
 * turn of the event loop woke look one after the other, each in a turn of its own, so that nobody else waits for them.
 */
export class Waiting {
  readonly #timer: Timer;
  readonly #waiters = new Set<Waiter>();
  readonly #unsubscribe: () => void;
  /** Collections with commits since the last round of looks. */
  #changed = new Set<PropertyKey>();
  #waking = false;
  #stopped = false;

  constructor(store: Pick<Store<unknown>, 'onCommit'>, timer: Timer) {
    this.#timer = timer;
    this.#unsubscribe = store.onCommit((committed) => {
      if (this.#waiters.size === 0) return;
      const changed = committed === 'everything' ? this.#waiters : committed;
      for (const { collection } of changed) this.#changed.add(collection);
      if (!this.#waking) void this.#wake();
    });
  }

  /** How many callers wait. */
  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves with what `look` finds: at once when it finds anything or as many wait as can, else after the first commit
   * to `collection` that lets it, else when patience ends, the caller leaves or the sandbox stops. Rejects when `look`
   * throws.
   */
  async first<T>(collection: string, look: () => readonly T[], patience: Patience): Promise<readonly T[]> {
    const { seconds, gone, aside } = patience;
    const found = look();
    if (found.length > 0 || seconds === 0 || this.#stopped || gone.aborted) return found;
    if (this.#waiters.size >= mostWaiters) return found;
    const { promise, resolve, reject } = Promise.withResolvers<readonly T[]>();
    const attempt = (isLast: boolean) => () => {
      try {
        const now = look();
        if (now.length > 0 || isLast) resolve(now);
      } catch (error) {
        reject(error);
      }
    };
    const waiter = { collection, look: attempt(false), end: attempt(true) };
    const cancel = this.#timer(waiter.end, seconds * 1000);
    gone.addEventListener('abort', waiter.end);
    this.#waiters.add(waiter);
    try {
      return await aside(promise);
    } finally {
      cancel();
      gone.removeEventListener('abort', waiter.end);
      this.#waiters.delete(waiter);
    }
  }

  /** Ends every wait now, and lets nobody wait any more. */
  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    for (const { end } of [...this.#waiters]) end();
  }

  async #wake(): Promise<void> {
    this.#waking = true;
    while (this.#changed.size > 0) {
      await turn();
      const changed = this.#changed;
      this.#changed = new Set();
      for (const waiter of [...this.#waiters]) {
        if (!changed.has(waiter.collection) || !this.#waiters.has(waiter)) continue;
        waiter.look();
        await turn();
      }
    }
    this.#waking = false;
  }
}
