import type { Life } from '../assembly/life.ts';
import { StoreError } from '../store/store.ts';
import type { Slice } from '../store/view.ts';
import type { SecretDigests } from './credentials.ts';
import type { Storage, StoragePlace } from './storage.ts';

/** What has to be known of a workspace while it is not in memory (OP-211). */
export interface WorkspaceRecord {
  readonly id: string;
  readonly life: Life;
  /** When its next work falls due, in milliseconds of real time; null where none does before somebody calls. */
  readonly dueAt: number | null;
}

/** The same, with digests of its credentials, from which no credential can be derived. */
export interface DormantWorkspace extends WorkspaceRecord {
  readonly digests: SecretDigests;
}

const name = 'last-known';

/**
 * Writes what identifies a workspace beside its data, when a process ends in order. If its data cannot be loaded later, calls with its
 * credentials get 503 instead of 401 (OP-229).
 */
export async function writeLastKnown(storage: Storage, place: StoragePlace, resting: DormantWorkspace): Promise<void> {
  await storage.write([...place, name], one(resting));
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
