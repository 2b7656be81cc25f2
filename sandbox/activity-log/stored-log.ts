import { lastTally, orderedKey, type TallyCollections, tallySchema } from '../runtime/ids.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { ActivityEntry, CallEntry } from './activity-entry.ts';

/** The stored collections of the log: its state changes, and calls from a snapshot or from a log that several instances share. */
export interface ActivityCollections extends TallyCollections {
  readonly activity: ActivityEntry;
}

export const activitySchema = {
  activity: { bounded: true },
  ...tallySchema,
} as const;

/** Returns the key of an entry in the store. */
export function keyOf({ seq }: ActivityEntry): string {
  return orderedKey(seq);
}

/** The name of the tally for the newest entry that was removed from the store. */
export const droppedTally = 'activity_dropped';

/** Returns the entries of a store and its call log, oldest first. */
export function logOf(reader: Reader<ActivityCollections>, calls: readonly CallEntry[]): readonly ActivityEntry[] {
  const dropped = lastTally(reader, droppedTally);
  const left = calls.filter(({ seq }) => seq > dropped);
  return [...reader.all('activity'), ...left].sort((one, other) => one.seq - other.seq);
}

/** Resets the log when new content replaces the current content. Earlier calls do not belong to the new log. */
export function beginLog(tx: Tx<ActivityCollections>, before: Reader<ActivityCollections>): void {
  tx.put('tallies', 'log', logNumber(before) + 1);
}

type TallyReader = Pick<Reader<ActivityCollections>, 'get'>;

/** Returns the number of resets of the log. Calls from before the last reset are ignored. */
export function logNumber(reader: TallyReader): number {
  return lastTally(reader, 'log');
}

/** Returns whether two readers see the same log, with no reset in between. */
export function isSameLog(one: TallyReader, other: TallyReader): boolean {
  return one.get('tallies', 'log') === other.get('tallies', 'log');
}

/** Returns the time of the newest entry of a store and its call log, in milliseconds; `undefined` if there is none. */
export function newestAt(reader: Reader<ActivityCollections>, calls: readonly CallEntry[] = []): number | undefined {
  const newest = logOf(reader, calls).at(-1);
  return newest && Date.parse(newest.at);
}
