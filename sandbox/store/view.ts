/** A stored record with its id. The record is frozen. */
export interface Row {
  readonly id: string;
  readonly record: unknown;
  /** The insertion order: a row with a lower ordinal was inserted earlier. A put over an existing id keeps the ordinal. */
  readonly ordinal: number;
  /** The size that counts towards the store's limit, in bytes: the id and the record as JSON. Zero in a bounded collection. */
  readonly bytes: number;
}

/** Several rows of one collection, in insertion order. Their records are frozen. */
export interface Slice {
  readonly collection: string;
  readonly rows: readonly Pick<Row, 'id' | 'record'>[];
}

/** The whole content of a store, one slice at a time. */
export type Slices = AsyncIterable<Slice>;

/** The content of an empty store. */
export const nothing: Slices = { async *[Symbol.asyncIterator]() {} };

/** Maximum number of rows in a slice, so that processing one does not block the event loop. */
export const rowsOfSlice = 250;

/** The rows of one collection at one point in time. */
export type RowsOf = readonly [collection: string, rows: Slice['rows']];

/** Splits rows into slices, and yields to the event loop after each one. */
export async function* slicesOf(collections: Iterable<RowsOf>): AsyncGenerator<Slice, void, void> {
  for (const [collection, rows] of collections) {
    for (let at = 0; at < rows.length; at += rowsOfSlice) {
      yield { collection, rows: rows.slice(at, at + rowsOfSlice) };
      await yieldToEventLoop();
    }
  }
}

/** Yields to other pending work. Long work runs in chunks, with a yield after each one (OP-59). */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
