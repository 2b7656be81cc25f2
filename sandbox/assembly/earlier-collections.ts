import { noteStatuses } from '../platform/placed-orders.ts';
import { dropEarlierQuota } from '../platform/quota.ts';
import { moveTallies } from '../runtime/numbering.ts';
import type { Tx } from '../store/store.ts';
import type { WorkspaceCollections } from './collections.ts';

/** Moves or drops what earlier versions stored differently, in collections that are opened, forked or restored. */
export function moveEarlier(tx: Tx<WorkspaceCollections>): void {
  moveTallies(tx);
  dropEarlierQuota(tx);
  noteStatuses(tx);
}
