import type { Quota } from '../contract/rate-limit.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Accepted, PlatformBooks } from './books.ts';

const hour = 3600 * 1000;

type OverQuota = Extract<PlatformFailure, { kind: 'rate_limited' }>;

/** The time in milliseconds, and how many requests an hour may hold. */
interface Around {
  readonly now: () => number;
  readonly limit: () => number;
}

/**
 * The company's sliding hour (OP-30), in memory. It is exact: a request is accepted if fewer than `limit` were accepted in
 * the hour before it. The log entry of a call saves what has changed, so a restart forgets no call that was answered.
 */
export class QuotaWindow {
  readonly #around: Around;
  /** How many requests were accepted at each instant that still counts, oldest first. */
  readonly #accepted = new Map<number, number>();
  #total = 0;
  #newest = 0;
  /** Instants whose number is not saved yet. */
  readonly #unsaved = new Set<number>();

  constructor(store: Pick<Store<PlatformBooks>, 'all' | 'onCommit'>, { now, limit }: Around) {
    this.#around = { now, limit };
    const load = () => this.#load(store.all('acceptedAt'));
    load();
    store.onCommit((committed) => {
      if (committed === 'everything') load();
    });
  }

  /** Takes one request from the hour, or refuses it. Returns what an accepted one left. */
  take(): Quota | OverQuota {
    const [now, limit] = [this.#around.now(), this.#around.limit()];
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
    this.#accepted.set(now, (this.#accepted.get(now) ?? 0) + 1);
    this.#total += 1;
    this.#newest = now;
    this.#unsaved.add(now);
    return { limit, left: limit - this.#total, seconds: secondsUntilFree(this.#instantOf(0, now), now) };
  }

  /** Writes down what has changed, in the transaction that logs a call. */
  save(tx: Pick<Tx<PlatformBooks>, 'put' | 'remove'>): void {
    for (const at of this.#unsaved) {
      const requests = this.#accepted.get(at);
      if (requests === undefined) tx.remove('acceptedAt', String(at));
      else tx.put('acceptedAt', String(at), { at, requests });
    }
    this.#unsaved.clear();
  }

  #load(saved: readonly Accepted[]): void {
    this.#accepted.clear();
    this.#unsaved.clear();
    const sorted = saved.filter(({ requests }) => requests > 0).sort((one, other) => one.at - other.at);
    for (const { at, requests } of sorted) this.#accepted.set(at, requests);
    this.#newest = sorted.at(-1)?.at ?? 0;
    this.#total = sorted.reduce((sum, { requests }) => sum + requests, 0);
  }

  #drop(at: number): void {
    this.#total -= this.#accepted.get(at) ?? 0;
    this.#accepted.delete(at);
    this.#unsaved.add(at);
  }

  /** When the request was accepted that has so many before it. */
  #instantOf(before: number, now: number): number {
    let seen = 0;
    for (const [at, requests] of this.#accepted) {
      seen += requests;
      if (seen > before) return at;
    }
    return now;
  }
}

/** Drops what earlier versions kept of accepted requests: their quota begins anew. */
export function dropEarlierQuota(tx: Tx<PlatformBooks>): void {
  for (const id of tx.ids('accepted')) tx.remove('accepted', id);
  for (const id of tx.ids('acceptedAt')) {
    const saved: Partial<Accepted> | undefined = tx.get('acceptedAt', id);
    if (saved?.requests === undefined) tx.remove('acceptedAt', id);
  }
  for (const tally of ['accepted', 'accepted_first', 'instants', 'instants_oldest']) {
    if (tx.get('tallies', tally) !== undefined) tx.remove('tallies', tally);
  }
}

function secondsUntilFree(instant: number, now: number): number {
  return Math.ceil((instant + hour - now) / 1000);
}
