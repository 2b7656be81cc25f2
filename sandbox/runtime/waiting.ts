import type { Activity } from '../activity-log/activity.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { Patience } from '../contract/types.ts';
import { yieldToEventLoop } from '../store/row.ts';
import type { Change, Store } from '../store/store.ts';
import type { Timer } from './clock.ts';

/** Maximum number of waiting callers. Further callers receive their answer immediately (OP-59). */
const mostWaiters = 200;

/** A query whose result a caller waits for. */
export interface WatchedQuery<T> {
  /** The collection whose changes can affect the result. */
  readonly collection: string;
  /**
   * Returns whether a changed record can end the wait. It is called once for each record that a commit changes in the
   * collection. For a removed record, it receives the last value.
   */
  matches(record: unknown): boolean;
  /** Runs the query: when the wait begins, after a commit that changed a matching record, and when the wait ends. */
  look(): readonly T[];
}

interface Waiter {
  readonly query: WatchedQuery<unknown>;
  /** Runs the query again, and ends the wait if it has a result. */
  readonly look: () => void;
  readonly end: () => void;
}

/** The changes of a commit or of the log, or `everything`. */
type Changes = readonly Pick<Change, 'collection' | 'record' | 'before'>[] | 'everything';

/**
 * Callers that wait until the store contains the requested data. Commits and logged calls wake them; nothing polls.
 * Without waiting callers, there is no commit listener. Woken callers run one after the other, each in its own event
 * loop turn, so that other calls are not delayed.
 */
export class Waiting {
  readonly #store: Pick<Store<unknown>, 'onCommit'>;
  readonly #activity: Pick<Activity, 'onUpdate'>;
  readonly #timer: Timer;
  readonly #waiters = new Set<Waiter>();
  /** Removes the listeners; set while callers wait. */
  #unsubscribe: (() => void) | undefined;
  /** Waiters affected by a change since their last query. */
  readonly #woken = new Set<Waiter>();
  #waking = false;
  #stopped = false;

  constructor(store: Pick<Store<unknown>, 'onCommit'>, activity: Pick<Activity, 'onUpdate'>, timer: Timer) {
    this.#store = store;
    this.#activity = activity;
    this.#timer = timer;
  }

  /** The number of waiting callers. */
  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves with the result of `look`. Returns immediately if there is a result or too many callers wait. Otherwise
   * waits for the first commit that yields a result, the end of `patience`, the caller's disconnection, or the
   * sandbox's stop. Rejects if `look` throws.
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

  /** Ends every wait. Later calls return immediately. */
  stop(): void {
    this.#stopped = true;
    for (const { end } of [...this.#waiters]) end();
  }

  /** Listens to commits and to logged calls, which are not committed. */
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
      // A caller that is woken again during its query moves to the end of the queue.
      this.#woken.delete(waiter);
      waiter.look();
      await yieldToEventLoop();
    }
    this.#waking = false;
  }
}

/** Returns whether changes can end a wait. If a filter fails, for example because history cannot be read, the query decides. */
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
