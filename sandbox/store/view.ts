/** A stored record, which is frozen. */
export interface Row {
  readonly id: string;
  readonly record: unknown;
  /** Shows which of two rows was inserted first; a put over an existing id keeps it. */
  readonly ordinal: number;
  /** What it counts towards the limit of the store: its id and its record as JSON; nothing in a bounded collection. */
  readonly bytes: number;
}

/** A few rows of one collection, in the order in which they were inserted. Their records are frozen. */
export interface Slice {
  readonly collection: string;
  readonly rows: readonly Pick<Row, 'id' | 'record'>[];
}

/** Everything that a store holds, a slice at a time. */
export type Slices = AsyncIterable<Slice>;

/** The content of a store that holds nothing. */
export const nothing: Slices = { async *[Symbol.asyncIterator]() {} };

/** Most rows of a slice, so that looking at one does not keep the event loop. */
export const rowsOfSlice = 250;

/** The rows of one collection as of one instant. */
export type RowsOf = readonly [collection: string, rows: Slice['rows']];

/** Rows as slices. Others have their turn after each. */
export async function* slicesOf(collections: Iterable<RowsOf>): AsyncGenerator<Slice, void, void> {
  for (const [collection, rows] of collections) {
    for (let at = 0; at < rows.length; at += rowsOfSlice) {
      yield { collection, rows: rows.slice(at, at + rowsOfSlice) };
      await yieldToEventLoop();
    }
  }
}

/** Yields to other work that is ready: long work runs a piece at a time (OP-59). */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
