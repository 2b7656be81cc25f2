import { isDeepStrictEqual } from 'node:util';
import { vi } from 'vitest';
import { workspaceSchema } from '../../../sandbox/assembly/collections.ts';
import type { Change, Committed, Reader } from '../../../sandbox/store/store.ts';
import { Transactor } from '../../../sandbox/store/transactor.ts';

type AnyStore = Reader<Record<string, unknown>> & Pick<Transactor<unknown>, 'flush' | 'onCommit'>;

/** A record that changed. */
export interface Difference {
  readonly collection: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Watches every store opened during its lifetime. It copies all records of each store, so it can list a call's changes record by record.
 * Rewriting a record with the same content is not a change.
 */
export class StoreWatcher {
  readonly #stores = new Map<AnyStore, Map<string, unknown>>();
  readonly #differences = new Map<string, Difference>();
  readonly #spy;

  constructor() {
    const watch = (store: AnyStore) => this.#watch(store);
    const { onCommit } = Transactor.prototype;
    this.#spy = vi.spyOn(Transactor.prototype, 'onCommit').mockImplementation(function (this: unknown, listener) {
      const undo = onCommit.call(this as Transactor<unknown>, listener);
      watch(this as AnyStore);
      return undo;
    });
    this.#original = onCommit;
  }

  readonly #original: Transactor<unknown>['onCommit'];

  /** Returns the changes since the previous call, after all pending writes. */
  async differences(): Promise<Difference[]> {
    for (const store of this.#stores.keys()) await store.flush();
    const changed = [...this.#differences.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after));
    this.#differences.clear();
    return changed;
  }

  end(): void {
    this.#spy.mockRestore();
  }

  #watch(store: AnyStore): void {
    if (this.#stores.has(store)) return;
    const records = new Map<string, unknown>();
    this.#stores.set(store, records);
    for (const { collection, id, record } of changesTo(store, records))
      records.set(`${String(collection)}/${id}`, record);
    this.#original.call(store as never, (committed: Committed) => {
      this.#record(records, committed === 'everything' ? [...changesTo(store, records)] : committed);
    });
  }

  #record(records: Map<string, unknown>, changes: readonly Change[]): void {
    for (const { collection, id, record } of changes) {
      const key = `${String(collection)}/${id}`;
      const { before } = this.#differences.get(key) ?? { before: records.get(key) };
      this.#differences.set(key, { collection: String(collection), id, before, after: record });
      if (record === undefined) records.delete(key);
      else records.set(key, record);
    }
  }
}

/** Yields the changes from these records to a store's current content. */
function* changesTo(store: AnyStore, records: ReadonlyMap<string, unknown>): Generator<Change> {
  const removedKeys = new Set(records.keys());
  for (const collection of Object.keys(workspaceSchema)) {
    for (const id of store.ids(collection)) {
      removedKeys.delete(`${collection}/${id}`);
      yield { collection, id, record: store.get(collection, id) };
    }
  }
  for (const key of removedKeys) {
    const [collection = '', id = ''] = key.split(/\/(.*)/s);
    yield { collection, id, record: undefined };
  }
}

/** Effects that a refused call may have outside the log, by operation, with the reason. */
const allowedEffects: Readonly<Record<string, (difference: Difference) => boolean>> = {
  // A failed attempt counts against the code and its customer (OP-18).
  verifyOtp: ({ collection, before, after }) =>
    collection === 'otps' ||
    (collection === 'customers' && isDeepStrictEqual(withoutAttempts(before), withoutAttempts(after))),
  // A reversal that arrives before its deduction is recorded (OP-21, OP-22).
  updateRedeemStatus: ({ collection, before }) => collection === 'redemptions' && before === undefined,
  reversePoints: ({ collection, before }) => collection === 'redemptions' && before === undefined,
};

/** Checks whether a refused call may have this effect: a change to the log, the quota, a stored reply, or one of the effects above. */
export function isAllowedEffect(difference: Difference, operationId: string): boolean {
  const { collection, id } = difference;
  if (['activity', 'acceptedAt', 'tallies', 'idempotency'].includes(collection)) return true;
  // The client's verdict on a JWT is stored, regardless of the outcome of the call (OP-120).
  // Expired sessions are removed to free space for the verdict (OP-57).
  if (collection === 'sessions' && (id.startsWith('jwt ') || difference.after === undefined)) return true;
  return allowedEffects[operationId]?.(difference) ?? false;
}

function withoutAttempts(record: unknown): unknown {
  return { ...(record as object), attempts: undefined };
}
