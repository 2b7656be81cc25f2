import type { Row } from './row.ts';
import { SortedKeys } from './sorted.ts';
import type { CollectionSpec, Ending } from './store.ts';
import { RowsView, type Viewed } from './view.ts';

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
  /**
   * The places of rows strictly after `after` in their order, or strictly before it in descending order; see `idAt`.
   */
  places(after: string | undefined, reverse: boolean): Iterable<string>;
  /** The rows that have an end, by `endKey`, what ends first before the others. */
  ends(): Iterable<string>;
}

/** How many digits an instant has in a key that sorts by it. */
const DIGITS = 16;

/** A key that sorts by the end of a row, and by id where ends are the same. */
function endKey(until: number, id: string): string {
  return `${String(Math.ceil(until)).padStart(DIGITS, '0')} ${id}`;
}

/** The id that an `endKey` was made of. */
export function idIn(key: string): string {
  return key.slice(DIGITS + 1);
}

/** What an `endKey` was made of. */
export function endOf(key: string): Ending {
  return { id: idIn(key), until: Number(key.slice(0, DIGITS)) };
}

/**
 * The id of the row at a place: the place itself where rows are kept by id, else what follows the key that they are
 * kept by.
 */
export function idAt({ ordered }: CollectionSpec<unknown>, place: string): string {
  return typeof ordered === 'function' ? place.slice(place.indexOf(' ') + 1) : place;
}

interface Index {
  readonly keyOf: (record: unknown) => string | undefined;
  readonly idsByKey: Map<string, Set<string>>;
}

/** One collection in memory, with its look-ups kept up to date on every change. */
export class Collection implements ReadableCollection, Viewed {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  readonly #rows = new Map<string, Row>();
  readonly #indexes = new Map<string, Index>();
  readonly #views = new Set<RowsView>();
  /** Made when first asked for, unless the collection is to be `large`. */
  #sorted: SortedKeys | undefined;
  #ends: SortedKeys | undefined;
  #nextOrdinal = 0;

  /** @param large whether keys are kept in order from the first row on: sorting many at once would hold everybody up */
  constructor(name: string, spec: CollectionSpec<unknown>, large = false) {
    this.name = name;
    this.spec = spec;
    if (large && spec.ordered) this.#sorted = new SortedKeys();
    if (large && spec.until) this.#ends = new SortedKeys();
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

  places(after: string | undefined, reverse: boolean): Iterable<string> {
    const { ordered } = this.spec;
    if (!ordered) throw new Error(`The collection ${this.name} is not ordered: it has no range`);
    this.#sorted ??= new SortedKeys([...this.#rows.values()].flatMap((row) => this.#placeOf(row) ?? []));
    // Behind every place that has this key.
    const edge = typeof ordered === 'function' && after !== undefined && !reverse ? `${after}!` : after;
    return this.#sorted.from(edge, reverse);
  }

  ends(): Iterable<string> {
    if (!this.spec.until) throw new Error(`The collection ${this.name} has no ends`);
    this.#ends ??= new SortedKeys([...this.#rows.values()].flatMap((row) => this.#endOf(row) ?? []));
    return this.#ends.from(undefined, false);
  }

  /** Stores `record`, which is frozen. Only a layer above gives the ordinal: it knows what lies below. */
  put(id: string, record: unknown, ordinal = this.#rows.get(id)?.ordinal ?? this.#nextOrdinal): void {
    const before = this.#rows.get(id);
    // All keys first: an index function that throws must leave everything as it was.
    const moves = [...this.#indexes.values()].map((index) => ({ index, key: index.keyOf(record) }));
    const end = this.#ends && this.#endOf({ id, record });
    const place = this.#sorted && this.#placeOf({ id, record });
    if (before) {
      this.#unindex(before);
      for (const view of this.#views) view.replaced(before);
    }
    for (const { index, key } of moves) if (key !== undefined) addTo(index.idsByKey, key, id);
    if (end !== undefined) this.#ends?.add(end);
    if (place !== undefined) this.#sorted?.add(place);
    this.#rows.set(id, { id, record, ordinal });
    this.#nextOrdinal = Math.max(this.#nextOrdinal, ordinal + 1);
  }

  remove(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#unindex(row);
    for (const view of this.#views) view.removed(row);
    this.#rows.delete(id);
  }

  /** A view of the rows as they are now, which is told of what goes until it is closed. */
  open(): RowsView {
    const view = new RowsView(this.#rows.values(), this.#nextOrdinal);
    this.#views.add(view);
    return view;
  }

  close(view: RowsView): void {
    this.#views.delete(view);
  }

  #unindex(row: Row): void {
    for (const { keyOf, idsByKey } of this.#indexes.values()) {
      const key = keyOf(row.record);
      if (key === undefined) continue;
      const ids = idsByKey.get(key);
      ids?.delete(row.id);
      if (ids?.size === 0) idsByKey.delete(key);
    }
    const end = this.#ends && this.#endOf(row);
    if (end !== undefined) this.#ends?.remove(end);
    const place = this.#sorted && this.#placeOf(row);
    if (place !== undefined) this.#sorted?.remove(place);
  }

  #placeOf({ id, record }: Pick<Row, 'id' | 'record'>): string | undefined {
    const { ordered } = this.spec;
    if (typeof ordered !== 'function') return id;
    const key = ordered(record);
    return key === undefined ? undefined : `${key} ${id}`;
  }

  #endOf({ id, record }: Pick<Row, 'id' | 'record'>): string | undefined {
    const until = this.spec.until?.(record);
    return until === undefined ? undefined : endKey(until, id);
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
