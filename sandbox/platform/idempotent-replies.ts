import type { IdempotencyStore } from '../contract/api.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Tx } from '../store/store.ts';
import type { PlatformCollections } from './collections.ts';
import type { Platform } from './platform.ts';

/** Replies that are stored under an `Idempotency-Key` for a day at least (OP-20, OP-57). */
export function storedReplies({ store, clock }: Pick<Platform, 'store' | 'clock'>): IdempotencyStore {
  return {
    get: (id) => store.get('idempotency', id),
    keep(tx, id, reply) {
      const now = clock.now();
      tx.put('idempotency', id, { ...reply, at: now });
      dropEnded(tx, 'idempotency', now);
    },
    transact: (change) => store.transact(change),
  };
}

/** Dates replies of older data, which were stored without a time, to now. */
export function stampKeptReplies(tx: Tx<PlatformCollections>, now: number): void {
  for (const id of tx.ids('idempotency')) {
    const reply = tx.get('idempotency', id);
    if (reply !== undefined && !Number.isFinite(reply.at)) tx.put('idempotency', id, { ...reply, at: now });
  }
}
