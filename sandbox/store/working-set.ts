import { ByteBudget } from './byte-budget.ts';
import { Collection, CollectionDefinition, type ReadableCollection } from './collection.ts';
import { byEnd, endingIn, scanOf } from './sorted.ts';
import type { CollectionSpec, Ending, Range, Reader, StoreSchema } from './store.ts';
import { type Row, type Slice, type Slices, slicesOf } from './view.ts';

/** A change as it is written down: `record` is undefined for a removal. */
export interface WrittenChange {
  readonly collection: string;
  readonly id: string;
  readonly record: unknown;
  /** The record that it takes the place of, or removes; not written down. */
  readonly before?: unknown;
}

/** Reads by collection name; a working set and what is staged over one differ in what a name leads to. */
export abstract class ReadByName<Collections> implements Reader<Collections> {
  /** A collection of the schema; throws for any other. */
  abstract collection(name: string): ReadableCollection;

  get<C extends keyof Collections>(collection: C, id: string): Collections[C] | undefined {
    return this.collection(String(collection)).row(id)?.record as Collections[C] | undefined;
  }

  find<C extends keyof Collections>(collection: C, index: string, key: string): readonly Collections[C][] {
    return recordsOf(this.collection(String(collection)).matching(index, key));
  }

  range<C extends keyof Collections>(collection: C, range: Range): readonly Collections[C][] {
    const rows = this.collection(String(collection));
    const records: Collections[C][] = [];
    for (const id of idsIn(rows, range)) {
      const row = rows.row(id);
      if (row !== undefined) records.push(row.record as Collections[C]);
    }
    return records;
  }

  all<C extends keyof Collections>(collection: C): readonly Collections[C][] {
    return recordsOf(this.collection(String(collection)).rows());
  }

  ids<C extends keyof Collections>(collection: C, range?: Range): readonly string[] {
    const rows = this.collection(String(collection));
    return range === undefined ? Array.from(rows.rows(), (row) => row.id) : idsIn(rows, range);
  }

  count<C extends keyof Collections>(collection: C): number {
    return this.collection(String(collection)).size;
  }

  ending<C extends keyof Collections>(collection: C): Ending | undefined {
    for (const key of this.collection(String(collection)).places(byEnd, undefined, false)) return endingIn(key);
    return undefined;
  }
}

/** Every record that is stored, in memory. It holds durable state only: changes are applied after they were persisted. */
export class WorkingSet<Collections> extends ReadByName<Collections> {
  readonly #schema: StoreSchema<Collections>;
  readonly #collections = new Map<string, Collection>();
  /** Counts what it is filled with and what transactions add. */
  readonly budget: ByteBudget;

  constructor(schema: StoreSchema<Collections>, budget = new ByteBudget()) {
    super();
    this.#schema = schema;
    this.budget = budget;
    for (const [name, spec] of Object.entries<CollectionSpec<never>>(schema)) {
      this.#add(name, spec as CollectionSpec<unknown>);
    }
  }

  override collection(name: string): ReadableCollection {
    const collection = Object.hasOwn(this.#schema, name) ? this.#collections.get(name) : undefined;
    if (!collection) throw new Error(`The store has no collection ${name}`);
    return collection;
  }

  /**
   * What changes to a collection are applied to once they are durable. One that only another version knows is carried
   * along, not served and not lost.
   */
  writable(name: string): Collection {
    return this.#collections.get(name) ?? this.#add(name, {});
  }

  /** Takes in changes as they were read from disk. Throws `StoreFullError` where they are too many. */
  restore(changes: Iterable<WrittenChange>): void {
    for (const { collection, id, record } of changes) this.load({ collection, rows: [{ id, record }] });
  }

  /** Takes in more of what is to be stored; a row without a record is removed. Throws `StoreFullError` for too much. */
  load({ collection, rows }: Slice): void {
    const target = this.writable(collection);
    const { definition } = target;
    for (const { id, record } of rows) {
      const before = target.row(id);
      const row = record === undefined ? undefined : definition.row(id, record, before?.ordinal ?? target.nextOrdinal);
      this.budget.fill((row?.bytes ?? 0) - (before?.bytes ?? 0));
      if (row === undefined) target.remove(id);
      else target.put(row, definition.keysOf(row));
    }
  }

  /** An empty one for the same collections. */
  successor(): WorkingSet<Collections> {
    return new WorkingSet(this.#schema, this.budget.successor());
  }

  /** Everything as it is now, to be read while it changes: rows never change, so a list of them is a copy. */
  view(): Slices {
    return slicesOf(Array.from(this.#collections, ([name, collection]) => [name, [...collection.rows()]] as const));
  }

  #add(name: string, spec: CollectionSpec<unknown>): Collection {
    const added = new Collection(new CollectionDefinition(name, spec));
    this.#collections.set(name, added);
    return added;
  }
}

/** The ids of the rows of a range, in its order. */
function idsIn(rows: ReadableCollection, range: Range): string[] {
  const { limit = Infinity, reverse = false } = range;
  const { order, edge, prefix } = scanOf(rows.definition, range);
  const found: string[] = [];
  for (const place of rows.places(order.name, edge, reverse)) {
    if (found.length >= limit || !place.startsWith(prefix)) break;
    found.push(order.idOf === undefined ? place : order.idOf(place));
  }
  return found;
}

function recordsOf<R>(rows: Iterable<Row>): readonly R[] {
  return Array.from(rows, (row) => row.record as R);
}
