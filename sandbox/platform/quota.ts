import type { Quota } from '../contract/rate-limit.ts';
import type { ChargingTx } from '../contract/types.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import type { Platform } from './platform.ts';

const hour = 3600 * 1000;

type Around = Pick<Platform, 'clock' | 'settings'>;
type OverQuota = Extract<PlatformFailure, { kind: 'rate_limited' }>;

/**
 * Takes one request from the company's sliding hour (OP-30). It is exact: the n-th accepted request is fine if the one
 * `limit` before it is an hour old. The instants are in the books, so a restart forgets none; those that no window can
 * reach any more are dropped as new ones come. Returns what an accepted one left.
 */
export function takeFromQuota(platform: Around & Pick<Platform, 'store'>): Promise<Quota | OverQuota> {
  return platform.store.transact((tx) => takeWithin(tx, platform));
}

/** The same in a transaction of somebody else's. */
export function takeWithin(tx: ChargingTx, { clock, settings }: Around): Quota | OverQuota {
  const limit = settings().rate_limit;
  const now = clock.now();
  const taken = withoutFuture(tx, now);
  const limiting = limitingInstant(tx, taken, limit, now);
  if (limiting !== undefined) {
    return { kind: 'rate_limited', limit, retryAfterSeconds: secondsUntilFree(limiting, now) };
  }
  tx.put('tallies', 'accepted', taken + 1);
  tx.put('accepted', String(taken), now);
  const kept = tallyOf(tx, 'accepted_first');
  const { first, oldest } = firstInWindow(tx, kept, taken, now);
  if (first !== kept) dropOld(tx, kept, now);
  return {
    limit,
    left: Math.max(0, limit - (taken + 1 - first)),
    seconds: secondsUntilFree(oldest, now),
  };
}

/**
 * Whether a request would be refused by what the books show. What is not seen yet can only be more requests that were
 * accepted: these free nothing.
 */
export function isSpent({ store, clock, settings }: Around & Pick<Platform, 'store'>): boolean {
  const now = clock.now();
  const taken = store.get('tallies', 'accepted') ?? 0;
  const newest = store.get('accepted', String(taken - 1)) ?? now;
  return newest <= now && limitingInstant(store, taken, settings().rate_limit, now) !== undefined;
}

/** When the request was accepted that has to be an hour old before another one is; undefined where it is, or none is. */
function limitingInstant(
  books: Pick<ChargingTx, 'get'>,
  taken: number,
  limit: number,
  now: number,
): number | undefined {
  const instant = books.get('accepted', String(taken - limit));
  return instant !== undefined && now - instant < hour ? instant : undefined;
}

function tallyOf(books: Pick<ChargingTx, 'get'>, tally: string): number {
  return books.get('tallies', tally) ?? 0;
}

/**
 * Drops the requests of instants that are not there yet, which a clock that was set back leaves: they would count until
 * it is there again. Returns how many were accepted.
 */
function withoutFuture(tx: ChargingTx, now: number): number {
  const accepted = tallyOf(tx, 'accepted');
  let taken = accepted;
  while ((tx.get('accepted', String(taken - 1)) ?? now) > now) {
    taken -= 1;
    tx.remove('accepted', String(taken));
  }
  if (taken !== accepted) tx.put('tallies', 'accepted', taken);
  return taken;
}

function secondsUntilFree(instant: number, now: number): number {
  return Math.ceil((instant + hour - now) / 1000);
}

/**
 * The oldest request that still counts, and its number: mostly the oldest that is `kept`. Else it is found by halving,
 * since instants never go down.
 */
function firstInWindow(tx: ChargingTx, kept: number, last: number, now: number) {
  const instantOf = (number: number) => tx.get('accepted', String(number)) ?? now;
  let oldest = instantOf(kept);
  if (now - oldest < hour) return { first: kept, oldest };
  let [low, high] = [kept, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (now - instantOf(middle) < hour) high = middle;
    else low = middle + 1;
  }
  oldest = instantOf(low);
  return { first: low, oldest };
}

/** Two are dropped for each that comes, so the list shrinks back after a burst. */
function dropOld(tx: ChargingTx, start: number, now: number): void {
  let first = start;
  while (first < start + 2) {
    const instant = tx.get('accepted', String(first));
    if (instant === undefined || now - instant < hour) break;
    tx.remove('accepted', String(first));
    first += 1;
  }
  if (first !== start) tx.put('tallies', 'accepted_first', first);
}
