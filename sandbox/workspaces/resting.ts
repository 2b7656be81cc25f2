import { StoreError } from '../store/store.ts';
import type { Slice } from '../store/view.ts';
import type { Resting } from './memory.ts';
import type { Storage, StoragePlace } from './storage.ts';

/** How it is kept: it holds for books that are as they were then. */
interface Kept {
  readonly of: string;
  readonly resting: Resting;
}

const name = 'resting';

/** Writes down what is to be known of a workspace whose books were just closed. */
export async function writeResting(storage: Storage, place: StoragePlace, resting: Resting): Promise<void> {
  const record: Kept = { of: await storage.version(place), resting };
  await storage.write([...place, name], one(record));
}

/** What was written down; undefined where nothing was, or something was done to the books since. */
export async function readResting(storage: Storage, place: StoragePlace): Promise<Resting | undefined> {
  const kept = await readKept(storage, place);
  return kept !== undefined && kept.of === (await storage.version(place)) ? kept.resting : undefined;
}

/** What was last written down of a workspace whose books cannot be read: when its work is due is not known any more. */
export async function lastResting(storage: Storage, place: StoragePlace): Promise<Resting | undefined> {
  const kept = await readKept(storage, place);
  return kept && { ...kept.resting, dueAt: null };
}

async function readKept(storage: Storage, place: StoragePlace): Promise<Kept | undefined> {
  try {
    for await (const { rows } of storage.read([...place, name])) {
      for (const { record } of rows) {
        return record as Kept;
      }
    }
  } catch (error) {
    // It can be worked out again: the books say everything.
    if (!(error instanceof StoreError)) throw error;
  }
  return undefined;
}

async function* one(record: Kept): AsyncGenerator<Slice, void, void> {
  yield { collection: name, rows: [{ id: name, record }] };
}
