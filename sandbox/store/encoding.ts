import { freezeRecord } from './record.ts';
import type { Slice, Slices } from './view.ts';
import type { WrittenChange } from './working-set.ts';

/** The transactions that were written together. */
export type Batch = readonly (readonly WrittenChange[])[];

/**
 * About how much one line holds: large enough that sealing costs little, small enough not to hold up the event loop.
 */
const LINE_CHARACTERS = 64 * 1024;

/** A record. Earlier versions wrote a fourth member, which is passed over: records are in order anyway. */
export type Entry = readonly [collection: string, id: string, record: unknown];

/** The entries as JSON arrays of about one line's size. */
export async function* textsOf(slices: Slices): AsyncGenerator<string, void, void> {
  let entries = '';
  for await (const { collection, rows } of slices) {
    for (const { id, record } of rows) {
      const entry: Entry = [collection, id, record];
      entries += `${entries && ','}${JSON.stringify(entry)}`;
      if (entries.length < LINE_CHARACTERS) continue;
      yield `[${entries}]`;
      entries = '';
    }
  }
  if (entries) yield `[${entries}]`;
}

/** Entries one after the other that are of the same collection, as one slice. */
export function* slicesIn(entries: readonly Entry[]): Generator<Slice> {
  let rows: Slice['rows'][number][] = [];
  for (const [at, [collection, id, record]] of entries.entries()) {
    rows.push({ id, record: freezeRecord(record, `${collection} ${id}`) });
    if (entries[at + 1]?.[0] === collection) continue;
    yield { collection, rows };
    rows = [];
  }
}

/** A batch as it is stored. A removal is written without a record. */
export type BatchEntries = readonly (readonly (readonly [string, string, unknown?])[])[];

export function batchEntries(batch: Batch): BatchEntries {
  const entries: (readonly [string, string, unknown?])[][] = [];
  for (const changes of batch) {
    const written: (readonly [string, string, unknown?])[] = [];
    for (const { collection, id, record } of changes) {
      written.push(record === undefined ? [collection, id] : [collection, id, record]);
    }
    entries.push(written);
  }
  return entries;
}

/** What `batchEntries` was given. */
export function batchOf(entries: BatchEntries): Batch {
  return entries.map((changes) => changes.map(([collection, id, record]) => ({ collection, id, record })));
}
