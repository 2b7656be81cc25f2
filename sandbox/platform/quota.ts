import type { Quota } from '../contract/rate-limit.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import { lastTally } from '../runtime/numbering.ts';
import type { Tx } from '../store/store.ts';
import type { PlatformBooks } from './books.ts';
import type { Platform } from './platform.ts';

const hour = 3600 * 1000;

type OverQuota = Extract<PlatformFailure, { kind: 'rate_limited' }>;

/**
 * Takes one request from the company's sliding hour (OP-30). It is exact: the n-th accepted request is fine if the one
 * `limit` before it is an hour old. The instants are in the books, so a restart forgets none; those that no window can
 * reach any more are dropped as new ones come. Returns what an accepted one left.
 */
export function takeFromQuota(platform: Pick<Platform, 'store' | 'clock' | 'settings'>): Promise<Quota | OverQuota> {
  const limit = platform.settings().rate_limit;
  return platform.store.transact((tx) => {
    const now = platform.clock.now();
    const taken = withoutFuture(tx, now);
    const limiting = tx.get('accepted', String(taken - limit));
    if (limiting !== undefined && now - limiting < hour) {
      return { kind: 'rate_limited', limit, retryAfterSeconds: secondsUntilFree(limiting, now) };
    }
    tx.put('tallies', 'accepted', taken + 1);
    tx.put('accepted', String(taken), now);
    const kept = lastTally(tx, 'accepted_first');
    const { first, oldest } = firstInWindow(tx, kept, taken, now);
    if (first !== kept) dropOld(tx, kept, now);
    return {
      limit,
      left: Math.max(0, limit - (taken + 1 - first)),
      seconds: secondsUntilFree(oldest, now),
    };
  });
}

/**
 * Drops the requests of instants that are not there yet, which a clock that was set back leaves: they would count until
 * it is there again. Returns how many were accepted.
 */
function withoutFuture(tx: Tx<PlatformBooks>, now: number): number {
  const accepted = lastTally(tx, 'accepted');
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
function firstInWindow(tx: Tx<PlatformBooks>, kept: number, last: number, now: number) {
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
function dropOld(tx: Tx<PlatformBooks>, start: number, now: number): void {
  let first = start;
  while (first < start + 2) {
    const instant = tx.get('accepted', String(first));
    if (instant === undefined || now - instant < hour) break;
    tx.remove('accepted', String(first));
    first += 1;
  }
  if (first !== start) tx.put('tallies', 'accepted_first', first);
}
