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

/**
 * Maximum nesting depth of a record. No record of the sandbox is that deep. `JSON.stringify` overflows the stack only
 * at about 5,000 levels.
 */
const DEEPEST = 100;

/**
 * Deeply freezes `record` and returns it. Throws a TypeError for values that JSON cannot preserve: undefined,
 * functions, dates and other class instances, numbers without a JSON form, and cycles.
 */
export function freezeRecord<R>(record: R, where: string): R {
  weighRecord(record, where);
  return record;
}

/**
 * Freezes `value` as `freezeRecord` does, and returns the size of its JSON in bytes. Escapes are not counted, and a
 * field name is measured in characters instead of bytes. The result is therefore slightly low for unusual text.
 */
export function weighRecord(value: unknown, where: string, depth = 0): number {
  if (typeof value !== 'object' || value === null) return weighScalar(value, where);
  if (depth > DEEPEST) throw new TypeError(`${where} is nested more than ${DEEPEST} levels deep`);
  let bytes = 0;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) bytes += weighRecord(value[at], `${where}[${at}]`, depth + 1) + 1;
  } else {
    // Check the length of the prototype chain, so that a plain object from another realm is also accepted.
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new TypeError(`${where} is an instance of a class, which JSON cannot represent`);
    }
    // `for...in` finds only own properties, because the object is plain.
    for (const name in value) {
      const part = (value as Record<string, unknown>)[name];
      bytes += name.length + '"":,'.length;
      // Fast path: most fields are strings or numbers, which need no path for an error message.
      if (typeof part === 'string') bytes += Buffer.byteLength(part) + 2;
      else if (Number.isFinite(part)) bytes += String(part).length;
      else bytes += weighRecord(part, `${where}.${name}`, depth + 1);
    }
  }
  Object.freeze(value);
  // Add two brackets, and subtract the comma counted after the last element.
  return Math.max(bytes + 1, 2);
}

function weighScalar(value: unknown, where: string): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return String(value).length;
  throw new TypeError(`${where} is ${describe(value)}, which JSON cannot represent`);
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value;
}
