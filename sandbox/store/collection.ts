import { ordersOf, SortedKeys, type SortOrder } from './sorted.ts';
import type { CollectionSpec } from './store.ts';
import type { Row } from './view.ts';

/** What can be read of one collection: either what is stored, or that with staged changes laid over it. */
export interface ReadableCollection {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  readonly size: number;
  /** The ordinal that the next new row gets. */
  readonly nextOrdinal: number;
  row(id: string): Row | undefined;
  /** Every row, oldest insertion first. */
  rows(): Iterable<Row>;
  /** The rows found under `key`, oldest insertion first. */
  matching(index: string, key: string): Row[];
  /** The keys of an order strictly after `edge`, or strictly before it in descending order; see `SortOrder`. */
  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string>;
}

interface Index {
  readonly keyOf: (record: unknown) => string | undefined;
  /** The id alone where one record has the key, as most do. */
  readonly idsByKey: IdsByKey;
}

type IdsByKey = Map<string, string | Set<string>>;

/** One order of the rows. */
interface Sorting {
  readonly order: SortOrder;
  readonly keys: SortedKeys;
}

/** One collection in memory. Every change updates its indexes. */
export class Collection implements ReadableCollection {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  readonly #rows = new Map<string, Row>();
  readonly #indexes = new Map<string, Index>();
  readonly #sortings = new Map<string, Sorting>();
  #nextOrdinal = 0;

  constructor(name: string, spec: CollectionSpec<unknown>) {
    this.name = name;
    this.spec = spec;
    for (const order of ordersOf(spec)) this.#sortings.set(order.name, { order, keys: new SortedKeys() });
    for (const [index, keyOf] of Object.entries(spec.indexes ?? {})) {
      this.#indexes.set(index, { keyOf, idsByKey: new Map() });
    }
  }

  get size(): number {
    return this.#rows.size;
  }

  get nextOrdinal(): number {
    return this.#nextOrdinal;
  }

  row(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  rows(): Iterable<Row> {
    return this.#rows.values();
  }

  matching(index: string, key: string): Row[] {
    const found: Row[] = [];
    const lookup = this.#indexes.get(index);
    if (lookup === undefined) throw new Error(`The collection ${this.name} has no index ${index}`);
    for (const id of idsUnder(lookup.idsByKey, key)) {
      const row = this.#rows.get(id);
      if (row) found.push(row);
    }
    // A record that left a key and came back is last in the set although it is not the newest.
    return found.sort((one, other) => one.ordinal - other.ordinal);
  }

  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string> {
    const sorting = this.#sortings.get(order);
    if (sorting === undefined) throw new Error(`The collection ${this.name} has no sort order "${order}"`);
    return sorting.keys.from(edge, reverse);
  }

  /** Stores `record`, which is frozen. Only a layer above gives the ordinal: it knows what lies below. */
  put(id: string, record: unknown, ordinal?: number): void {
    const before = this.#rows.get(id);
    const row = { id, record, ordinal: ordinal ?? before?.ordinal ?? this.#nextOrdinal };
    // All keys first: an index function that throws must leave everything as it was.
    const keys = this.#keysOf(row);
    this.#rekey(id, before && this.#keysOf(before), keys);
    this.#rows.set(id, row);
    this.#nextOrdinal = Math.max(this.#nextOrdinal, row.ordinal + 1);
  }

  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rekey(id, this.#keysOf(row), undefined);
    this.#rows.delete(id);
  }

  /** Under what a row is found: by each index, and its place in each order. */
  #keysOf(row: Row): Keys {
    const keys: (string | undefined)[] = [];
    for (const { keyOf } of this.#indexes.values()) keys.push(keyOf(row.record));
    for (const { order } of this.#sortings.values()) keys.push(order.keyOf(row));
    return keys;
  }

  /** Puts an id under its keys in place of those that it had. Most keys of a row never change: that costs nothing. */
  #rekey(id: string, before: Keys = [], now: Keys = []): void {
    let at = -1;
    for (const { idsByKey } of this.#indexes.values()) {
      at += 1;
      const [old, key] = [before[at], now[at]];
      if (old === key) continue;
      if (old !== undefined) removeFrom(idsByKey, old, id);
      if (key !== undefined) addTo(idsByKey, key, id);
    }
    for (const { keys } of this.#sortings.values()) {
      at += 1;
      const [old, key] = [before[at], now[at]];
      if (old === key) continue;
      if (old !== undefined) keys.remove(old);
      if (key !== undefined) keys.add(key);
    }
  }
}

/** What a row is found under: the keys of the indexes, then those of the orders. None where one leaves it out. */
type Keys = readonly (string | undefined)[];

function idsUnder(idsByKey: IdsByKey, key: string): Iterable<string> {
  const ids = idsByKey.get(key) ?? [];
  return typeof ids === 'string' ? [ids] : ids;
}

function addTo(idsByKey: IdsByKey, key: string, id: string): void {
  const ids = idsByKey.get(key);
  if (ids === undefined) idsByKey.set(key, id);
  else if (typeof ids !== 'string') ids.add(id);
  else if (ids !== id) idsByKey.set(key, new Set([ids, id]));
}

function removeFrom(idsByKey: IdsByKey, key: string, id: string): void {
  const ids = idsByKey.get(key);
  if (ids === id) idsByKey.delete(key);
  if (!(ids instanceof Set)) return;
  ids.delete(id);
  if (ids.size === 0) idsByKey.delete(key);
}
