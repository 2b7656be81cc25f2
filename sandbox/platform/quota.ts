import { type Accepted, type CallLog, forgetfulCallLog } from '../activity-log/call-log.ts';
import type { Quota } from '../contract/envelopes.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import type { Store } from '../store/store.ts';
import type { PlatformCollections } from './collections.ts';

const hour = 3600 * 1000;
/** The most requests of the hour that a key can lose when another instance takes over; a tenth of the hour where that is less. */
const mostReserved = 100;

/** The tally of how many requests an owner may accept until it saves next (`SavedWithCalls`). */
export const reservedTally = 'quota_reserved';

type OverQuota = Extract<PlatformFailure, { kind: 'rate_limited' }>;

/** The time in milliseconds, how many requests an hour may hold, and where accepted ones are saved. */
interface QuotaOptions {
  readonly now: () => number;
  readonly limit: () => number;
  readonly calls?: Pick<CallLog, 'saved' | 'room'>;
}

/**
 * The company's sliding hour (OP-30), in memory. It is exact: a request is accepted if fewer than `limit` were accepted in
 * the hour before it. The call log saves what has changed with each call, so a restart forgets no call that was answered.
 */
export class QuotaWindow {
  readonly #options: QuotaOptions;
  readonly #calls: Pick<CallLog, 'saved' | 'room'>;
  /** How many requests were accepted at each instant that still counts, oldest first. */
  readonly #accepted = new Map<number, number>();
  #total = 0;
  #newest = 0;
  /** Instants whose number is not saved yet. */
  readonly #unsaved = new Set<number>();

  constructor(store: Pick<Store<PlatformCollections>, 'all' | 'get' | 'onCommit'>, options: QuotaOptions) {
    this.#options = options;
    this.#calls = options.calls ?? forgetfulCallLog;
    this.#load([...store.all('acceptedAt'), ...this.#calls.saved.accepted]);
    const reserve = store.get('tallies', reservedTally) ?? 0;
    if (reserve > 0) this.#takeReserve(reserve);
    store.onCommit((committed) => {
      if (committed === 'everything') this.#load(store.all('acceptedAt'));
    });
  }

  /** Takes one request from the hour, or refuses it. Resolves with what an accepted one left. */
  async take(): Promise<Quota | OverQuota> {
    await this.#calls.room();
    const [now, limit] = [this.#options.now(), this.#options.limit()];
    // A clock that was set back leaves instants that are still to come: they would count until it is there again.
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

  /** Changes since the previous call. */
  changed(): readonly Accepted[] {
    const rows = [...this.#unsaved].map((at) => ({ at, requests: this.#accepted.get(at) ?? 0 }));
    this.#unsaved.clear();
    return rows;
  }

  /** Everything that counts. */
  get rows(): readonly Accepted[] {
    return [...this.#accepted].map(([at, requests]) => ({ at, requests }));
  }

  /** The same, after which nothing is left to save. */
  all(): readonly Accepted[] {
    this.#unsaved.clear();
    return this.rows;
  }

  /** How many requests may be accepted between two saves where a save is not part of each call. */
  get reserve(): number {
    return Math.min(Math.ceil(this.#options.limit() / 10), mostReserved);
  }

  /** Counts what an owner that died may have accepted since it saved last, as of now. */
  #takeReserve(requests: number): void {
    const most = Math.min(requests, this.#options.limit() - this.#total);
    if (most > 0) this.#accept(this.#options.now(), most);
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
    // Of two for one instant the later one counts.
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

  /** When the request at this position of the window was accepted. */
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
