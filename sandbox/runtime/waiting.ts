import type { Activity } from '../activity-log/activity.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { Patience } from '../contract/types.ts';
import type { Change, Store } from '../store/store.ts';
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

/** What has changed: records of the store, calls of the log, or everything. */
type Changes = readonly Pick<Change, 'collection' | 'record' | 'before'>[] | 'everything';

/**
 * Callers who wait until the store has the data that they want. Commits and logged calls wake them; nothing polls, and
 * nobody listens to commits while no caller waits. Callers that one turn of the event loop wakes run in sequence, each in a
 * turn of its own, so that other calls do not wait for them.
 */
export class Waiting {
  readonly #store: Pick<Store<unknown>, 'onCommit'>;
  readonly #activity: Pick<Activity, 'onUpdate'>;
  readonly #timer: Timer;
  readonly #waiters = new Set<Waiter>();
  /** Set while callers wait. */
  #unsubscribe: (() => void) | undefined;
  /** Waiters for whom something has changed since they looked. */
  readonly #woken = new Set<Waiter>();
  #waking = false;
  #stopped = false;

  constructor(store: Pick<Store<unknown>, 'onCommit'>, activity: Pick<Activity, 'onUpdate'>, timer: Timer) {
    this.#store = store;
    this.#activity = activity;
    this.#timer = timer;
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
    this.#unsubscribe ??= this.#subscribe();
    try {
      return await aside(promise);
    } finally {
      cancel();
      gone.removeEventListener('abort', waiter.end);
      this.#waiters.delete(waiter);
      this.#woken.delete(waiter);
      if (this.#waiters.size === 0) {
        this.#unsubscribe?.();
        this.#unsubscribe = undefined;
      }
    }
  }

  /** Ends every wait now, and allows no more. */
  stop(): void {
    this.#stopped = true;
    for (const { end } of [...this.#waiters]) end();
  }

  /** Listens to commits, and to logged calls, which are not committed. */
  #subscribe(): () => void {
    const collection: keyof ActivityCollections = 'activity';
    const ends = [
      this.#store.onCommit((committed) => this.#notify(committed)),
      this.#activity.onUpdate((entries) => {
        if (entries === 'everything') return;
        this.#notify(entries.filter(({ kind }) => kind !== 'state').map((record) => ({ collection, record })));
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  #notify(changes: Changes): void {
    for (const waiter of this.#waiters) {
      if (!this.#woken.has(waiter) && concerns(changes, waiter.query)) this.#woken.add(waiter);
    }
    if (this.#woken.size > 0 && !this.#waking) void this.#wake();
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

/** Whether changes can end a wait. Where a filter cannot say, as when history cannot be read, its query will. */
function concerns(changes: Changes, query: WatchedQuery<unknown>): boolean {
  if (changes === 'everything') return true;
  try {
    return changes.some(
      ({ collection, record, before }) => collection === query.collection && query.matches(record ?? before),
    );
  } catch {
    return true;
  }
}
