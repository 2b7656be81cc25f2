import { type Accepted, type CallLog, forgetfulCallLog } from '../activity-log/call-log.ts';
import type { Quota } from '../contract/envelopes.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import type { Store } from '../store/store.ts';
import type { PlatformCollections } from './collections.ts';

const hour = 3600 * 1000;
/**
 * Maximum number of requests reserved between two saves. A takeover by another instance can cost a key up to this many
 * requests, or a tenth of its hourly limit if that is less.
 */
const mostReserved = 100;

/** The name of the tally with the number of requests that an owner may accept until its next save (`SavedWithCalls`). */
export const reservedTally = 'quota_reserved';

type OverQuota = Extract<PlatformFailure, { kind: 'rate_limited' }>;

/** The current time in milliseconds, the hourly limit, and the log that saves accepted requests. */
interface QuotaOptions {
  readonly now: () => number;
  readonly limit: () => number;
  readonly calls?: Pick<CallLog, 'saved' | 'room'>;
}

/**
 * The company's sliding-window quota (OP-30), in memory. It accepts a request if it accepted fewer than `limit` in the
 * preceding hour. The call log saves changes with each call, so a restart loses no answered call.
 */
export class QuotaWindow {
  readonly #options: Required<QuotaOptions>;
  /** The number of accepted requests by instant, oldest first. */
  readonly #accepted = new Map<number, number>();
  #total = 0;
  #newest = 0;
  /** Instants with unsaved changes. */
  readonly #unsaved = new Set<number>();

  constructor(store: Pick<Store<PlatformCollections>, 'all' | 'get' | 'onCommit'>, options: QuotaOptions) {
    this.#options = { calls: forgetfulCallLog, ...options };
    this.#load([...store.all('acceptedAt'), ...this.#options.calls.saved.accepted]);
    const reserve = store.get('tallies', reservedTally) ?? 0;
    // Count, as of now, the requests that a dead owner may have accepted since its last save.
    const most = reserve > 0 ? Math.min(reserve, options.limit() - this.#total) : 0;
    if (most > 0) this.#accept(options.now(), most);
    store.onCommit((committed) => {
      if (committed === 'everything') this.#load(store.all('acceptedAt'));
    });
  }

  /** Accepts or refuses one request. Resolves with the remaining quota if accepted. */
  async take(): Promise<Quota | OverQuota> {
    await this.#options.calls.room();
    const [now, limit] = [this.#options.now(), this.#options.limit()];
    // After the clock was set back, drop instants in the future. They would count until the clock reaches them again.
    if (this.#newest > now) for (const at of this.#accepted.keys()) if (at > now) this.#drop(at);
    for (const at of this.#accepted.keys()) {
      if (now - at < hour) break;
      this.#drop(at);
    }
    if (this.#total >= limit) {
      const limiting = this.#instantOf(this.#total - limit, now);
      return { kind: 'rate_limited', limit, retryAfterSeconds: secondsUntilFree(limiting, now) };
    }
    this.#accept(now, 1);
    return { limit, left: limit - this.#total, seconds: secondsUntilFree(this.#instantOf(0, now), now) };
  }

  /** Returns the changes since the previous call. */
  changed(): readonly Accepted[] {
    const rows = [...this.#unsaved].map((at) => ({ at, requests: this.#accepted.get(at) ?? 0 }));
    this.#unsaved.clear();
    return rows;
  }

  /** All counts within the window. */
  get rows(): readonly Accepted[] {
    return [...this.#accepted].map(([at, requests]) => ({ at, requests }));
  }

  /** Returns all counts and marks them as saved. */
  all(): readonly Accepted[] {
    this.#unsaved.clear();
    return this.rows;
  }

  /** Maximum number of requests accepted between two saves, if requests are not saved with each call. */
  get reserve(): number {
    return Math.min(Math.ceil(this.#options.limit() / 10), mostReserved);
  }

  #accept(at: number, requests: number): void {
    this.#accepted.set(at, (this.#accepted.get(at) ?? 0) + requests);
    this.#total += requests;
    this.#newest = at;
    this.#unsaved.add(at);
  }

  #load(saved: readonly Accepted[]): void {
    this.#accepted.clear();
    this.#unsaved.clear();
    // If an instant occurs twice, the later entry wins.
    const rows = new Map(saved.map(({ at, requests }) => [at, requests]));
    const sorted = [...rows].filter(([, requests]) => requests > 0).sort(([one], [other]) => one - other);
    for (const [at, requests] of sorted) this.#accepted.set(at, requests);
    this.#newest = sorted.at(-1)?.[0] ?? 0;
    this.#total = sorted.reduce((sum, [, requests]) => sum + requests, 0);
  }

  #drop(at: number): void {
    this.#total -= this.#accepted.get(at) ?? 0;
    this.#accepted.delete(at);
    this.#unsaved.add(at);
  }

  /** Returns when the request at this position of the window was accepted. */
  #instantOf(before: number, now: number): number {
    let seen = 0;
    for (const [at, requests] of this.#accepted) {
      seen += requests;
      if (seen > before) return at;
    }
    return now;
  }
}

function secondsUntilFree(instant: number, now: number): number {
  return Math.ceil((instant + hour - now) / 1000);
}
