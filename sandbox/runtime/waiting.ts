import type { Patience } from '../contract/types.ts';
import type { Committed, Store } from '../store/store.ts';
import { yieldToEventLoop } from '../store/view.ts';
import type { Timer } from './timer.ts';

/** Most callers who can wait concurrently; further ones get their answer immediately (OP-59). */
const mostWaiters = 200;

/** What a caller waits for. */
export interface WatchedQuery<T> {
  /** The collection whose records are what is looked for, or decide it. */
  readonly collection: string;
  /**
   * Whether a changed record can end the wait. A wait costs one call of this for each record that a commit changes in
   * the collection, whatever is stored. A removed record is given as it was.
   */
  matches(record: unknown): boolean;
  /** The query: runs when the wait begins, after a commit that changed a matching record, and when the wait ends. */
  look(): readonly T[];
}

interface Waiter {
  readonly query: WatchedQuery<unknown>;
  /** Looks again, and ends the wait when that finds anything. */
  readonly look: () => void;
  readonly end: () => void;
}

/**
 * Callers who wait until the store has the data that they want. Commits wake them; nothing polls. Callers that one turn
 * of the event loop wakes run in sequence, each in a turn of its own, so that other calls do not wait for them.
 */
export class Waiting {
  readonly #timer: Timer;
  readonly #waiters = new Set<Waiter>();
  readonly #unsubscribe: () => void;
  /** Waiters for whom something has changed since they looked. */
  readonly #woken = new Set<Waiter>();
  #waking = false;
  #stopped = false;

  constructor(store: Pick<Store<unknown>, 'onCommit'>, timer: Timer) {
    this.#timer = timer;
    this.#unsubscribe = store.onCommit((committed) => {
      for (const waiter of this.#waiters) {
        if (!this.#woken.has(waiter) && concerns(committed, waiter.query)) this.#woken.add(waiter);
      }
      if (this.#woken.size > 0 && !this.#waking) void this.#wake();
    });
  }

  /** How many callers wait. */
  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves with the result of `look`: immediately if there is one or too many callers wait, else after the first commit
   * with one, else when patience ends, the caller leaves or the sandbox stops. Rejects when `look` throws.
   */
  async first<T>(query: WatchedQuery<T>, patience: Patience): Promise<readonly T[]> {
    const { seconds, gone, aside } = patience;
    const found = query.look();
    if (found.length > 0 || seconds === 0 || this.#stopped || gone.aborted) return found;
    if (this.#waiters.size >= mostWaiters) return found;
    const { promise, resolve, reject } = Promise.withResolvers<readonly T[]>();
    const attempt = (isLast: boolean) => () => {
      try {
        const now = query.look();
        if (now.length > 0 || isLast) resolve(now);
      } catch (error) {
        reject(error);
      }
    };
    const waiter = { query, look: attempt(false), end: attempt(true) };
    const cancel = this.#timer(waiter.end, seconds * 1000);
    gone.addEventListener('abort', waiter.end);
    this.#waiters.add(waiter);
    try {
      return await aside(promise);
    } finally {
      cancel();
      gone.removeEventListener('abort', waiter.end);
      this.#waiters.delete(waiter);
      this.#woken.delete(waiter);
    }
  }

  /** Ends every wait now, and allows no more. */
  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    for (const { end } of [...this.#waiters]) end();
  }

  async #wake(): Promise<void> {
    this.#waking = true;
    await yieldToEventLoop();
    for (const waiter of this.#woken) {
      // A caller that is woken again while looking comes last.
      this.#woken.delete(waiter);
      waiter.look();
      await yieldToEventLoop();
    }
    this.#waking = false;
  }
}

/** Whether a commit can end a wait. Where a filter cannot say, as when history cannot be read, its query will. */
function concerns(committed: Committed, query: WatchedQuery<unknown>): boolean {
  if (committed === 'everything') return true;
  try {
    return committed.some(
      ({ collection, record, before }) => collection === query.collection && query.matches(record ?? before),
    );
  } catch {
    return true;
  }
}
