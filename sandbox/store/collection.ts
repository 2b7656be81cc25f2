import type { Row } from './row.ts';
import { weighRecord } from './row.ts';
import { type Keyed, ordersOf, SortedKeys, type SortOrder } from './sorted.ts';
import type { CollectionSpec } from './store.ts';

/** The keys of a row: its index keys, then its order keys. A key is undefined if the index or order excludes the row. */
export type Keys = readonly (string | undefined)[];

/** The rules by which a collection creates and finds rows. Stored and staged rows share them. */
export class CollectionDefinition {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  readonly indexes: ReadonlyMap<string, (record: unknown) => string | undefined>;
  readonly orders: ReadonlyMap<string, SortOrder>;

  constructor(name: string, spec: CollectionSpec<unknown>) {
    this.name = name;
    this.spec = spec;
    this.indexes = new Map(Object.entries(spec.indexes ?? {}));
    this.orders = ordersOf(spec);
  }

  /** Creates a row, and freezes `record`. */
  row(id: string, record: unknown, ordinal: number): Row {
    const bytes = id.length + weighRecord(record, `${this.name} ${id}`);
    return { id, record, ordinal, bytes: this.spec.bounded ? 0 : bytes };
  }

  keysOf(row: Keyed): Keys {
    const keys: (string | undefined)[] = [];
    for (const keyOf of this.indexes.values()) keys.push(keyOf(row.record));
    for (const order of this.orders.values()) keys.push(order.keyOf(row));
    return keys;
  }
}

/** The read interface of one collection, with or without staged changes on top. */
export interface ReadableCollection {
  readonly definition: CollectionDefinition;
  readonly size: number;
  /** The ordinal of the next new row. */
  readonly nextOrdinal: number;
  row(id: string): Row | undefined;
  /** Every row, oldest insertion first. */
  rows(): Iterable<Row>;
  /** Returns the rows whose index key is `key`, oldest insertion first. */
  matching(index: string, key: string): Row[];
  /** Returns the keys of an order strictly after `edge` or, in descending order, strictly before `edge`. See `SortOrder`. */
  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string>;
}

/** A collection to which changes can be applied. */
export interface WritableCollection extends ReadableCollection {
  /** Puts a row and indexes it under `keys`. If it replaces a row with a different ordinal, it becomes the newest row. */
  put(row: Row, keys: Keys): void;
  remove(id: string): void;
}

/** An index from keys to ids. A key with one record, the usual case, stores the id without a set. */
class Index {
  readonly #ids = new Map<string, string | Set<string>>();

  under(key: string): Iterable<string> {
    const ids = this.#ids.get(key) ?? [];
    return typeof ids === 'string' ? [ids] : ids;
  }

  add(key: string, id: string): void {
    const ids = this.#ids.get(key);
    if (ids === undefined) this.#ids.set(key, id);
    else if (typeof ids !== 'string') ids.add(id);
    else if (ids !== id) this.#ids.set(key, new Set([ids, id]));
  }

  remove(key: string, id: string): void {
    const ids = this.#ids.get(key);
    if (ids === id) this.#ids.delete(key);
    if (!(ids instanceof Set)) return;
    ids.delete(id);
    if (ids.size === 0) this.#ids.delete(key);
  }
}

/** A collection in memory. Every change updates its indexes. */
export class Collection implements WritableCollection {
  readonly definition: CollectionDefinition;
  nextOrdinal = 0;
  readonly #rows = new Map<string, Row>();
  readonly #indexes = new Map<string, Index>();
  readonly #orders = new Map<string, SortedKeys>();
  /** The indexes and orders, in the same sequence as `Keys`. */
  readonly #byKey: readonly (Index | SortedKeys)[];

  constructor(definition: CollectionDefinition) {
    this.definition = definition;
    for (const name of definition.indexes.keys()) this.#indexes.set(name, new Index());
    for (const name of definition.orders.keys()) this.#orders.set(name, new SortedKeys());
    this.#byKey = [...this.#indexes.values(), ...this.#orders.values()];
  }

  get size(): number {
    return this.#rows.size;
  }

  row(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  rows(): Iterable<Row> {
    return this.#rows.values();
  }

  matching(index: string, key: string): Row[] {
    const ids = this.#indexes.get(index);
    if (ids === undefined) throw new Error(`The collection ${this.definition.name} has no index ${index}`);
    const found: Row[] = [];
    for (const id of ids.under(key)) {
      const row = this.#rows.get(id);
      if (row) found.push(row);
    }
    // A record that lost a key and received it again is last in the set, although it is not the newest.
    return found.sort(byOrdinal);
  }

  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string> {
    const keys = this.#orders.get(order);
    if (keys === undefined) throw new Error(`The collection ${this.definition.name} has no sort order "${order}"`);
    return keys.from(edge, reverse);
  }

  put(row: Row, keys: Keys): void {
    const before = this.#rows.get(row.id);
    this.#rekey(row.id, before && this.definition.keysOf(before), keys);
    if (before !== undefined && before.ordinal !== row.ordinal) this.#rows.delete(row.id);
    this.#rows.set(row.id, row);
    this.nextOrdinal = Math.max(this.nextOrdinal, row.ordinal + 1);
  }

  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rekey(id, this.definition.keysOf(row), undefined);
    this.#rows.delete(id);
  }

  /** Moves an id from its earlier keys to its current ones. Skips unchanged keys, which are the majority. */
  #rekey(id: string, before: Keys = [], now: Keys = []): void {
    for (const [at, keys] of this.#byKey.entries()) {
      const [old, key] = [before[at], now[at]];
      if (old === key) continue;
      if (old !== undefined) keys.remove(old, id);
      if (key !== undefined) keys.add(key, id);
    }
  }
}

/** Compares rows by insertion order, for sorting. */
export function byOrdinal(one: Row, other: Row): number {
  return one.ordinal - other.ordinal;
}
