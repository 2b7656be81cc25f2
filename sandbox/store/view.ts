import type { Row } from './row.ts';
import { turn } from './turn.ts';

/** A few rows of one collection, in the order in which they were inserted. Their records are frozen. */
export interface Slice {
  readonly collection: string;
  readonly rows: readonly (Pick<Row, 'id' | 'record'> & Partial<Row>)[];
}

/** Everything that a store holds, a slice at a time. */
export type Slices = AsyncIterable<Slice>;

/** The content of a store that holds nothing. */
export const nothing: Slices = { async *[Symbol.asyncIterator]() {} };

/** Most rows of a slice, so that looking at one does not keep the event loop. */
export const rowsOfSlice = 250;

/**
 * The rows of one collection as they were when the view was opened, read while the collection goes on changing. It
 * reads the live rows, which keep their order, and is told of each that goes before it came by: what it keeps is what
 * changed.
 */
export class RowsView implements RowsReading {
  readonly #live: Iterator<Row>;
  /** Rows from this ordinal on are newer than the view. */
  readonly #end: number;
  /** The ordinal up to which the live rows were taken: what happens to those no longer matters. */
  #taken = -1;
  /** A live row that was taken and has not had its turn. */
  #next: Row | undefined;
  /** What was replaced, as it was, by ordinal. */
  readonly #replaced = new Map<number, Row>();
  /** What was removed, as it was, by ascending ordinal; the first ones have been read. */
  readonly #removed: Row[];
  #read = 0;
  readonly #onClose: () => void;

  /** @param late rows that are not among the live ones, by ascending ordinal */
  constructor(rows: Iterable<Row>, end: number, onClose: () => void, late: Row[] = []) {
    this.#live = rows[Symbol.iterator]();
    this.#end = end;
    this.#onClose = onClose;
    this.#removed = late;
  }

  /** The next row; undefined after the last. */
  next(): Row | undefined {
    this.#next ??= this.#take();
    const removed = this.#removed[this.#read];
    if (removed !== undefined && (this.#next === undefined || removed.ordinal < this.#next.ordinal)) {
      this.#read += 1;
      return removed;
    }
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  close(): void {
    this.#onClose();
  }

  /** Another record takes the place of this row. */
  replaced(row: Row): void {
    if (this.#awaits(row) && !this.#replaced.has(row.ordinal)) this.#replaced.set(row.ordinal, row);
  }

  /** This row goes. */
  removed(row: Row): void {
    if (!this.#awaits(row)) return;
    const before = this.#asItWas(row);
    if (before.ordinal > (this.#removed.at(-1)?.ordinal ?? -1)) this.#removed.push(before);
    else this.#removed.splice(this.#place(before), 0, before);
  }

  #awaits({ ordinal }: Row): boolean {
    return ordinal > this.#taken && ordinal < this.#end;
  }

  #take(): Row | undefined {
    if (this.#taken >= this.#end) return undefined;
    const { value: row } = this.#live.next();
    this.#taken = row?.ordinal ?? this.#end;
    return row === undefined || row.ordinal >= this.#end ? undefined : this.#asItWas(row);
  }

  #asItWas(row: Row): Row {
    const before = this.#replaced.get(row.ordinal) ?? row;
    this.#replaced.delete(row.ordinal);
    return before;
  }

  #place({ ordinal }: Row): number {
    let low = this.#read;
    let high = this.#removed.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#removed[middle] as Row).ordinal < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What can be looked at while it changes: it tells its views of what goes. */
export interface Viewed {
  readonly name: string;
  open(): RowsReading;
}

/** Rows as of the instant at which it was opened, one after the other. Whoever opens it closes it. */
export interface RowsReading {
  /** The next row; undefined after the last. */
  next(): Row | undefined;
  close(): void | Promise<void>;
}

/** Everything that is stored as of the instant at which the view was opened. It costs until it is closed. */
export class View {
  readonly #readings: readonly (readonly [name: string, RowsReading])[];

  constructor(collections: Iterable<Viewed>) {
    this.#readings = Array.from(collections, (collection) => [collection.name, collection.open()] as const);
  }

  /** Everything, once. Others have their turn after each slice. */
  async *slices(): AsyncGenerator<Slice, void, void> {
    for (const [collection, reading] of this.#readings) {
      for (let rows = taken(reading); rows.length > 0; rows = taken(reading)) {
        yield { collection, rows };
        await turn();
      }
      await reading.close();
    }
  }

  async close(): Promise<void> {
    for (const [, reading] of this.#readings) await reading.close();
  }
}

/** The next rows, as many as a slice has at most. */
function taken(view: RowsReading): Row[] {
  const rows: Row[] = [];
  for (let row = view.next(); row !== undefined; row = view.next()) {
    rows.push(row);
    if (rows.length >= rowsOfSlice) break;
  }
  return rows;
}
