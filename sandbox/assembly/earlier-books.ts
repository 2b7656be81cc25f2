import { noteStatuses } from '../platform/placed-orders.ts';
import { dropEarlierQuota } from '../platform/quota.ts';
import { moveTallies } from '../runtime/numbering.ts';
import type { Tx } from '../store/store.ts';
import type { Books } from './books.ts';

/** Moves what an earlier version kept otherwise to where it is kept now, or drops it, in books that are opened, forked or gone back to. */
export function moveEarlier(tx: Tx<Books>): void {
  moveTallies(tx);
  dropEarlierQuota(tx);
  noteStatuses(tx);
}
