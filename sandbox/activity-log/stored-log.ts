import { lastTally, orderedKey, type TallyCollections, tallySchema } from '../runtime/ids.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { ActivityEntry, CallEntry } from './activity-entry.ts';

/** The runtime's collections of the log: its state changes, and calls that came with a snapshot or that several instances share. */
export interface ActivityCollections extends TallyCollections {
  readonly activity: ActivityEntry;
}

export const activitySchema = {
  activity: { bounded: true },
  ...tallySchema,
} as const;

/** The key of an entry in the store. */
export function keyOf({ seq }: ActivityEntry): string {
  return orderedKey(seq);
}

/** The tally of the newest entry that was dropped from the store. */
export const droppedTally = 'activity_dropped';

/** The entries of a store and of its call log, oldest first. */
export function logOf(reader: Reader<ActivityCollections>, calls: readonly CallEntry[]): readonly ActivityEntry[] {
  const dropped = lastTally(reader, droppedTally);
  const left = calls.filter(({ seq }) => seq > dropped);
  return [...reader.all('activity'), ...left].sort((one, other) => one.seq - other.seq);
}

/** Resets the log in content that replaces the present one: earlier calls do not belong to it. */
export function beginLog(tx: Tx<ActivityCollections>, before: Reader<ActivityCollections>): void {
  tx.put('tallies', 'log', logNumber(before) + 1);
}

/** How often the log was reset. Calls of another log are ignored. */
export function logNumber(reader: Pick<Reader<ActivityCollections>, 'get'>): number {
  return lastTally(reader, 'log');
}

/** Whether two readers have the same log: it was not reset in between. */
export function isSameLog(
  one: Pick<Reader<ActivityCollections>, 'get'>,
  other: Pick<Reader<ActivityCollections>, 'get'>,
): boolean {
  return one.get('tallies', 'log') === other.get('tallies', 'log');
}

/** The instant of the newest entry of a store and its call log, in milliseconds; undefined if there is none. */
export function newestAt(reader: Reader<ActivityCollections>, calls: readonly CallEntry[] = []): number | undefined {
  const newest = logOf(reader, calls).at(-1);
  return newest && Date.parse(newest.at);
}
