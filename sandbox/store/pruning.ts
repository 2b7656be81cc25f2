import type { Ending } from './store.ts';

/** Maximum number of stored records of one kind. It applies even if none has expired, because nothing expires while the clock is frozen. */
export const mostAtOnce = 100_000;

/** The operations of a transaction that pruning needs. */
interface Collections<C> {
  ending(collection: C): Ending | undefined;
  count(collection: C): number;
  remove(collection: C, id: string): void;
}

/** Number of removals per added record. With two, a collection shrinks after a burst without a full scan. */
const dropped = 2;

/**
 * Removes expired records from a collection. While more than `most` records remain, also removes those that expire
 * first. Call this function in the transaction that adds to a collection whose spec has `until` (OP-57). Each call
 * removes at most two records.
 */
export function dropEnded<C>(tx: Collections<C>, collection: C, now: number, most = Number.POSITIVE_INFINITY): void {
  for (let number = 0; number < dropped; number += 1) {
    const first = tx.ending(collection);
    if (first === undefined || (first.until >= now && tx.count(collection) <= most)) return;
    tx.remove(collection, first.id);
  }
}
