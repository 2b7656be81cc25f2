import { StoreError } from '../store/store.ts';
import type { Slice } from '../store/view.ts';
import type { Storage, StoragePlace } from './storage.ts';
import type { DormantWorkspace } from './workspace-record.ts';

const name = 'last-known';

/**
 * Writes what identifies a workspace beside its data, when a process ends in order. If its data cannot be loaded later, calls with its
 * credentials get 503 instead of 401 (OP-229).
 */
export async function writeLastKnown(storage: Storage, place: StoragePlace, dormant: DormantWorkspace): Promise<void> {
  await storage.write([...place, name], one(dormant));
}

/** What was written last; undefined if nothing was, or if it cannot be read either. */
export async function readLastKnown(storage: Storage, place: StoragePlace): Promise<DormantWorkspace | undefined> {
  try {
    for await (const { rows } of storage.read([...place, name])) {
      for (const { record } of rows) return record as DormantWorkspace;
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  return undefined;
}

async function* one(record: DormantWorkspace): AsyncGenerator<Slice, void, void> {
  yield { collection: name, rows: [{ id: name, record }] };
}
