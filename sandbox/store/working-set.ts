import { ByteBudget } from './byte-budget.ts';
import { Collection, CollectionDefinition, type ReadableCollection } from './collection.ts';
import { type Row, type Slice, type Slices, slicesOf } from './row.ts';
import { byEnd, endingIn, scanOf } from './sorted.ts';
import type { Change, CollectionSpec, Ending, Range, Reader, StoreSchema } from './store.ts';

/** A change in the form that is written to the log. `record` is undefined for a removal. `before` is not written. */
export interface WrittenChange extends Change {
  readonly collection: string;
}

/** A reader by collection name. Subclasses decide which collection a name resolves to. */
export abstract class ReadByName<Collections> implements Reader<Collections> {
  /** Returns a collection of the schema. Throws for any other name. */
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

/** All stored records, in memory. They are durable: changes are applied only after they are persisted. */
export class WorkingSet<Collections> extends ReadByName<Collections> {
  readonly #schema: StoreSchema<Collections>;
  readonly #collections = new Map<string, Collection>();
  /** Counts the bytes of loaded records, and of those that transactions add. */
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
   * Returns the collection to which durable changes are applied. A collection that only another version knows is
   * preserved but not served.
   */
  writable(name: string): Collection {
    return this.#collections.get(name) ?? this.#add(name, {});
  }

  /** Applies changes that were read from the disk. Throws `StoreFullError` if they exceed the byte limit. */
  restore(changes: Iterable<WrittenChange>): void {
    for (const { collection, id, record } of changes) this.load({ collection, rows: [{ id, record }] });
  }

  /** Loads a slice. A row without a record removes the existing row. Throws `StoreFullError` if the content exceeds the byte limit. */
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

  /** Returns an empty working set for the same collections. */
  successor(): WorkingSet<Collections> {
    return new WorkingSet(this.#schema, this.budget.successor());
  }

  /** Returns a snapshot of all records, which can be read while changes continue. Rows are immutable, so a list of them is a copy. */
  view(): Slices {
    return slicesOf(Array.from(this.#collections, ([name, collection]) => [name, [...collection.rows()]] as const));
  }

  #add(name: string, spec: CollectionSpec<unknown>): Collection {
    const added = new Collection(new CollectionDefinition(name, spec));
    this.#collections.set(name, added);
    return added;
  }
}

/** Returns the ids of the rows in a range, in the order of the range. */
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
