import { StoreError } from '../store/store.ts';
import type { Slice } from '../store/view.ts';
import type { Resting } from './memory.ts';
import type { Storage, StoragePlace } from './storage.ts';

const name = 'last-known';

/**
 * Writes what identifies a workspace beside its data, when a process ends in order. If its data cannot be loaded later, calls with its
 * credentials get 503 instead of 401 (OP-229).
 */
export async function writeLastKnown(storage: Storage, place: StoragePlace, resting: Resting): Promise<void> {
  await storage.write([...place, name], one(resting));
}

/** What was written last; undefined if nothing was, or if it cannot be read either. */
export async function readLastKnown(storage: Storage, place: StoragePlace): Promise<Resting | undefined> {
  try {
    for await (const { rows } of storage.read([...place, name])) {
      for (const { record } of rows) return record as Resting;
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  return undefined;
}

async function* one(record: Resting): AsyncGenerator<Slice, void, void> {
  yield { collection: name, rows: [{ id: name, record }] };
}
