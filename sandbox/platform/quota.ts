import type { Quota } from '../contract/rate-limit.ts';
import type { AcceptedAt, ChargingTx } from '../contract/types.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import type { Platform } from './platform.ts';

const hour = 3600 * 1000;

type Around = Pick<Platform, 'clock' | 'settings'>;
type OverQuota = Extract<PlatformFailure, { kind: 'rate_limited' }>;
type Books = Pick<ChargingTx, 'get'>;

/** What the books say of the requests that were accepted. */
interface Taken {
  /** How many there were ever, which is the number of the next. */
  readonly accepted: number;
  /** The number of the oldest instant that is kept, and of the next one. */
  readonly oldest: number;
  readonly instants: number;
}

/**
 * Takes one request from the company's sliding hour (OP-30). It is exact: the n-th accepted request is fine if the one
 * `limit` before it is an hour old. The instants are in the books, so a restart forgets none; those that no window can
 * reach any more are dropped as new ones come. Requests of one instant take one row. Returns what an accepted one left.
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
  const { accepted, oldest, instants } = taken;
  tx.put('tallies', 'accepted', accepted + 1);
  if (instantOf(tx, instants - 1)?.at !== now) {
    tx.put('acceptedAt', String(instants), { at: now, first: accepted });
    tx.put('tallies', 'instants', instants + 1);
  }
  const inWindow = firstInWindow(tx, taken, now);
  if (inWindow.number !== oldest) dropOld(tx, oldest, now);
  return {
    limit,
    left: Math.max(0, limit - (accepted + 1 - inWindow.first)),
    seconds: secondsUntilFree(inWindow.at, now),
  };
}

/**
 * Whether a request would be refused by what the books show. What is not seen yet can only be more requests that were
 * accepted: these free nothing.
 */
export function isSpent({ store, clock, settings }: Around & Pick<Platform, 'store'>): boolean {
  const now = clock.now();
  const taken = takenIn(store);
  const newest = instantOf(store, taken.instants - 1)?.at ?? now;
  return newest <= now && limitingInstant(store, taken, settings().rate_limit, now) !== undefined;
}

/** Writes down by instants what an earlier version kept of each request. */
export function moveAccepted(tx: ChargingTx & { ids(collection: 'accepted'): readonly string[] }): void {
  for (const id of [...tx.ids('accepted')].sort((one, other) => Number(one) - Number(other))) {
    const { instants } = takenIn(tx);
    const at = tx.get('accepted', id) ?? 0;
    if (instantOf(tx, instants - 1)?.at !== at) {
      tx.put('acceptedAt', String(instants), { at, first: Number(id) });
      tx.put('tallies', 'instants', instants + 1);
    }
    tx.remove('accepted', id);
  }
  tx.remove('tallies', 'accepted_first');
}

function takenIn(books: Books): Taken {
  return {
    accepted: tallyOf(books, 'accepted'),
    oldest: tallyOf(books, 'instants_oldest'),
    instants: tallyOf(books, 'instants'),
  };
}

function instantOf(books: Books, number: number): AcceptedAt | undefined {
  return books.get('acceptedAt', String(number));
}

/** When the request was accepted that has to be an hour old before another one is; undefined where it is, or none is. */
function limitingInstant(books: Books, taken: Taken, limit: number, now: number): number | undefined {
  const request = taken.accepted - limit;
  const oldest = instantOf(books, taken.oldest);
  // What is not kept any more is an hour old.
  if (oldest === undefined || request < oldest.first) return undefined;
  const after = firstSuch(taken.oldest, taken.instants, (number) => (instantOf(books, number)?.first ?? 0) > request);
  const instant = instantOf(books, after - 1)?.at;
  return instant !== undefined && now - instant < hour ? instant : undefined;
}

/** The first number from `low` on, below `high`, of which something is true, as it is of all after it; else `high`. */
function firstSuch(low: number, high: number, isSuch: (number: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isSuch(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function tallyOf(books: Books, tally: string): number {
  return books.get('tallies', tally) ?? 0;
}

/**
 * Drops the requests of instants that are not there yet, which a clock that was set back leaves: they would count until
 * it is there again. Returns what is left.
 */
function withoutFuture(tx: ChargingTx, now: number): Taken {
  const before = takenIn(tx);
  let { accepted, instants } = before;
  for (let newest = instantOf(tx, instants - 1); newest !== undefined && newest.at > now; ) {
    instants -= 1;
    accepted = newest.first;
    tx.remove('acceptedAt', String(instants));
    newest = instantOf(tx, instants - 1);
  }
  if (instants === before.instants) return before;
  tx.put('tallies', 'accepted', accepted);
  tx.put('tallies', 'instants', instants);
  return { ...before, accepted, instants };
}

function secondsUntilFree(instant: number, now: number): number {
  return Math.ceil((instant + hour - now) / 1000);
}

/** The oldest instant that still counts, and its number: mostly the oldest that is kept. Else it is looked for, since instants never go down. */
function firstInWindow(tx: ChargingTx, { accepted, oldest, instants }: Taken, now: number) {
  const here = { at: now, first: accepted };
  const kept = instantOf(tx, oldest) ?? here;
  if (now - kept.at < hour) return { number: oldest, ...kept };
  const number = firstSuch(oldest, instants, (at) => now - (instantOf(tx, at)?.at ?? now) < hour);
  return { number, ...(instantOf(tx, number) ?? here) };
}

/** Two are dropped for each request that comes, so the list shrinks back after a burst. */
function dropOld(tx: ChargingTx, start: number, now: number): void {
  let oldest = start;
  while (oldest < start + 2) {
    const instant = instantOf(tx, oldest)?.at;
    if (instant === undefined || now - instant < hour) break;
    tx.remove('acceptedAt', String(oldest));
    oldest += 1;
  }
  if (oldest !== start) tx.put('tallies', 'instants_oldest', oldest);
}
