import { isDeepStrictEqual } from 'node:util';
import { vi } from 'vitest';
import { workspaceSchema } from '../../../sandbox/assembly/collections.ts';
import type { Change, Committed, Reader } from '../../../sandbox/store/store.ts';
import { Transactor } from '../../../sandbox/store/transactor.ts';

type AnyStore = Reader<Record<string, unknown>> & Pick<Transactor<unknown>, 'flush' | 'onCommit'>;

/** A record that is not what it was. */
export interface Difference {
  readonly collection: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Watches every store that is opened while it lives: a copy of all records is kept beside each, so that what a call
 * changed is told record by record, and a record that was written as it stood is no change.
 */
export class Watched {
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

  /** What has changed since this was last asked, once all that was asked for is written. */
  async differences(): Promise<Difference[]> {
    for (const store of this.#stores.keys()) await store.flush();
    const found = [...this.#differences.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after));
    this.#differences.clear();
    return found;
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
      this.#take(records, committed === 'everything' ? [...changesTo(store, records)] : committed);
    });
  }

  #take(records: Map<string, unknown>, changes: readonly Change[]): void {
    for (const { collection, id, record } of changes) {
      const key = `${String(collection)}/${id}`;
      const { before } = this.#differences.get(key) ?? { before: records.get(key) };
      this.#differences.set(key, { collection: String(collection), id, before, after: record });
      if (record === undefined) records.delete(key);
      else records.set(key, record);
    }
  }
}

/** What leads from these records to what a store holds. */
function* changesTo(store: AnyStore, records: ReadonlyMap<string, unknown>): Generator<Change> {
  const gone = new Set(records.keys());
  for (const collection of Object.keys(workspaceSchema)) {
    for (const id of store.ids(collection)) {
      gone.delete(`${collection}/${id}`);
      yield { collection, id, record: store.get(collection, id) };
    }
  }
  for (const key of gone) {
    const [collection = '', id = ''] = key.split(/\/(.*)/s);
    yield { collection, id, record: undefined };
  }
}

/** What a refused call may leave behind beside the log, by operation, and why. */
const marks: Readonly<Record<string, (difference: Difference) => boolean>> = {
  // A failed try counts, for the code and for its customer (OP-18).
  verifyOtp: ({ collection, before, after }) =>
    collection === 'otps' ||
    (collection === 'customers' && isDeepStrictEqual(withoutAttempts(before), withoutAttempts(after))),
  // A reversal that comes before its deduction leaves a mark (OP-21, OP-22).
  updateRedeemStatus: ({ collection, before }) => collection === 'redemptions' && before === undefined,
  reversePoints: ({ collection, before }) => collection === 'redemptions' && before === undefined,
};

/** Whether a refused call may have made this difference: the log, the quota, a kept reply, and the marks above. */
export function allowed(difference: Difference, operationId: string): boolean {
  const { collection, id } = difference;
  if (['activity', 'acceptedAt', 'tallies', 'idempotency'].includes(collection)) return true;
  // What the client said of a JWT is remembered, whatever comes of the call that carried it (OP-120). Sessions that have
  // ended make room for it (OP-57).
  if (collection === 'sessions' && (id.startsWith('jwt ') || difference.after === undefined)) return true;
  return marks[operationId]?.(difference) ?? false;
}

function withoutAttempts(record: unknown): unknown {
  return { ...(record as object), attempts: undefined };
}
