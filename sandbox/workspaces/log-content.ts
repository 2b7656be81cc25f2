import type { ActivityEntry } from '../activity-log/activity-entry.ts';
import type { Accepted } from '../activity-log/call-log.ts';
import { keyOf, logOf } from '../activity-log/stored-log.ts';
import type { WorkspaceCollections } from '../assembly/collections.ts';
import type { Store } from '../store/store.ts';
import { type RowsOf, type Slice, type Slices, slicesOf } from '../store/view.ts';
import type { Storage, StoragePlace } from './storage.ts';

/** What a copy of a workspace holds that is not in its store, or not all of it. */
interface BesideStore {
  readonly activity: readonly ActivityEntry[];
  readonly acceptedAt: readonly Accepted[];
}

/** The content of a store, with all of the activity log and of the quota's hour. */
export async function* withLog(
  content: Slices,
  { activity, acceptedAt }: BesideStore,
): AsyncGenerator<Slice, void, void> {
  const whole: readonly (keyof WorkspaceCollections)[] = ['activity', 'acceptedAt'];
  for await (const slice of content) if (!whole.includes(slice.collection as keyof WorkspaceCollections)) yield slice;
  yield* slicesOf([rowsOf('activity', activity, keyOf), rowsOf('acceptedAt', acceptedAt, ({ at }) => String(at))]);
}

/** The same of a workspace that nobody runs. */
export async function logBeside(
  storage: Storage,
  place: StoragePlace,
  store: Store<WorkspaceCollections>,
): Promise<BesideStore> {
  const calls = await storage.openCalls(place, store);
  await calls.close();
  const rows = [...store.all('acceptedAt'), ...calls.saved.accepted].map((row) => [row.at, row] as const);
  return { activity: logOf(store, calls.saved.calls), acceptedAt: [...new Map(rows).values()] };
}

function rowsOf<R>(collection: keyof WorkspaceCollections, records: readonly R[], idOf: (record: R) => string): RowsOf {
  return [collection, records.map((record, ordinal) => ({ id: idOf(record), record, ordinal }))];
}
