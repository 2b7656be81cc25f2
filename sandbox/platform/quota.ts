import type { Quota } from '../contract/rate-limit.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import { lastTally, nextTally } from '../runtime/numbering.ts';
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
    nextTally(tx, 'accepted');
    tx.put('accepted', String(taken), now);
    const first = firstInWindow(tx, taken, now);
    dropOld(tx, now);
    const oldest = tx.get('accepted', String(first)) ?? now;
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
 * The number of the oldest request that still counts: mostly the oldest that is kept. Else it is found by halving, since
 * instants never go down.
 */
function firstInWindow(tx: Tx<PlatformBooks>, last: number, now: number): number {
  let low = lastTally(tx, 'accepted_first');
  if (now - (tx.get('accepted', String(low)) ?? now) < hour) return low;
  let high = last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (now - (tx.get('accepted', String(middle)) ?? now) < hour) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Two are dropped for each that comes, so the list shrinks back after a burst. */
function dropOld(tx: Tx<PlatformBooks>, now: number): void {
  const start = lastTally(tx, 'accepted_first');
  let first = start;
  while (first < start + 2) {
    const instant = tx.get('accepted', String(first));
    if (instant === undefined || now - instant < hour) break;
    tx.remove('accepted', String(first));
    first += 1;
  }
  // Told also where it is the first: a tally that is not there is looked for among the counters, which are synced.
  if (first !== start || tx.get('tallies', 'accepted_first') === undefined) tx.put('tallies', 'accepted_first', first);
}
