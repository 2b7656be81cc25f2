import { noteStatuses } from '../platform/placed-orders.ts';
import { dropEarlierQuota } from '../platform/quota.ts';
import { moveTallies } from '../runtime/numbering.ts';
import type { Tx } from '../store/store.ts';
import type { Books } from './books.ts';

/** Moves or drops what earlier versions stored differently, in books that are opened, forked or restored. */
export function moveEarlier(tx: Tx<Books>): void {
  moveTallies(tx);
  dropEarlierQuota(tx);
  noteStatuses(tx);
}
