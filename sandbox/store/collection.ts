import type { CollectionSpec } from './store.ts';

/** A stored record. `ordinal` tells which of two rows was inserted first; a put over an existing id keeps it. */
export interface Row {
  readonly id: string;
  readonly record: unknown;
  readonly ordinal: number;
}

/** What can be read of one collection: either what is stored, or that with staged changes laid over it. */
export interface Shelf {
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
  /** The ids strictly after `after` in id order, or strictly before it in descending order. */
  ids(after: string | undefined, reverse: boolean): Iterable<string>;
}

interface Index {
  readonly keyOf: (record: unknown) => string | undefined;
  readonly idsByKey: Map<string, Set<string>>;
}

/** One collection in memory, with its look-ups kept up to date on every change. */
export class Collection implements Shelf {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  readonly #rows = new Map<string, Row>();
  readonly #indexes = new Map<string, Index>();
  /** Made when first asked for: sorting once after loading is far cheaper than keeping order while loading. */
  #sorted: string[] | undefined;
  #nextOrdinal = 0;

  constructor(name: string, spec: CollectionSpec<unknown>) {
    this.name = name;
    this.spec = spec;
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
    const { idsByKey } = this.#index(index);
    const found: Row[] = [];
    for (const id of idsByKey.get(key) ?? []) {
      const row = this.#rows.get(id);
      if (row) found.push(row);
    }
    // A record that left a key and came back is last in the set although it is not the newest.
    return found.sort((one, other) => one.ordinal - other.ordinal);
  }

  *ids(after: string | undefined, reverse: boolean): Generator<string> {
    if (!this.spec.ordered) throw new Error(`The collection ${this.name} is not ordered: it has no range`);
    this.#sorted ??= [...this.#rows.keys()].sort();
    const ids = this.#sorted;
    const edge = after === undefined ? (reverse ? ids.length : 0) : lowerBound(ids, after);
    const skip = !reverse && after !== undefined && ids[edge] === after ? 1 : 0;
    const step = reverse ? -1 : 1;
    for (let at = reverse ? edge - 1 : edge + skip; ; at += step) {
      const id = ids[at];
      if (id === undefined) return;
      yield id;
    }
  }

  /** Stores `record`, which is frozen. Only a layer above gives the ordinal: it knows what lies below. */
  put(id: string, record: unknown, ordinal = this.#rows.get(id)?.ordinal ?? this.#nextOrdinal): void {
    const before = this.#rows.get(id);
    // All keys first: an index function that throws must leave everything as it was.
    const moves = [...this.#indexes.values()].map((index) => ({ index, key: index.keyOf(record) }));
    if (before) this.#unindex(before);
    for (const { index, key } of moves) if (key !== undefined) addTo(index.idsByKey, key, id);
    if (!before && this.#sorted) insertSorted(this.#sorted, id);
    this.#rows.set(id, { id, record, ordinal });
    this.#nextOrdinal = Math.max(this.#nextOrdinal, ordinal + 1);
  }

  remove(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#unindex(row);
    if (this.#sorted) this.#sorted.splice(lowerBound(this.#sorted, id), 1);
    this.#rows.delete(id);
  }

  #unindex(row: Row): void {
    for (const { keyOf, idsByKey } of this.#indexes.values()) {
      const key = keyOf(row.record);
      if (key === undefined) continue;
      const ids = idsByKey.get(key);
      ids?.delete(row.id);
      if (ids?.size === 0) idsByKey.delete(key);
    }
  }

  #index(name: string): Index {
    const index = this.#indexes.get(name);
    if (!index) throw new Error(`The collection ${this.name} has no index ${name}`);
    return index;
  }
}

function addTo(idsByKey: Map<string, Set<string>>, key: string, id: string): void {
  const ids = idsByKey.get(key);
  if (ids) ids.add(id);
  else idsByKey.set(key, new Set([id]));
}

function insertSorted(ids: string[], id: string): void {
  const last = ids.at(-1);
  if (last === undefined || last < id) ids.push(id);
  else ids.splice(lowerBound(ids, id), 0, id);
}

/** Where `id` is, or would be. Compared by UTF-16 code units, as `sort()` does. */
function lowerBound(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = ids[middle];
    if (there !== undefined && there < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
