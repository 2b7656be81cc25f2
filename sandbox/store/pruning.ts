import type { Ending } from './store.ts';

/**
 * At most this many of one kind are stored, even if none has expired: with a frozen clock nothing expires.
 */
export const mostAtOnce = 100_000;

/** What dropping needs of a transaction. */
interface Collections<C> {
  ending(collection: C): Ending | undefined;
  count(collection: C): number;
  remove(collection: C, id: string): void;
}

/** Two for each that comes: a collection shrinks back after a burst, and none has to be looked through. */
const dropped = 2;

/**
 * Drops what no longer counts, in the transaction that adds to a collection whose spec says `until` (OP-57): the
 * records that ended first, and those that end first where there are more than `most`.
 */
export function dropEnded<C>(tx: Collections<C>, collection: C, now: number, most = Number.POSITIVE_INFINITY): void {
  for (let number = 0; number < dropped; number += 1) {
    const first = tx.ending(collection);
    if (first === undefined || (first.until >= now && tx.count(collection) <= most)) return;
    tx.remove(collection, first.id);
  }
}
