import { inOrder } from './merged.ts';
import type { Row } from './row.ts';
import { ordersOf, type SortOrder } from './sort-order.ts';
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
  /** The keys of an order strictly after `edge`, or strictly before it in descending order; see `SortOrder`. */
  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string>;
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

/** The `endKey` of a row; undefined where it has no end. */
export function endKeyOf({ until }: CollectionSpec<unknown>, row: Pick<Row, 'id' | 'record'>): string | undefined {
  const end = until?.(row.record);
  return end === undefined ? undefined : endKey(end, row.id);
}

interface Index {
  readonly name: string;
  readonly keyOf: (record: unknown) => string | undefined;
  /** The id alone where one record has the key, as most do. Made when first asked for, as the order is. */
  idsByKey: IdsByKey | undefined;
}

type IdsByKey = Map<string, string | Set<string>>;

/** One order of the rows. Its keys are made when first asked for, as an index is. */
interface Sorting {
  readonly order: SortOrder;
  keys: SortedKeys | undefined;
}

const none: readonly never[] = [];

/** One collection in memory, with its look-ups kept up to date on every change. */
export class Collection implements ReadableCollection, Viewed {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  /** By ascending ordinal. */
  readonly #rows = new Map<string, Row>();
  /** Rows that came back behind newer ones, in any order: few, and mostly none. */
  #late: Map<string, Row> | undefined;
  readonly #indexes: readonly Index[];
  /** Made with the first view. */
  #views: Set<RowsView> | undefined;
  readonly #sortings: readonly Sorting[];
  /** Made when first asked for, unless the collection is to be `large`. */
  #ends: SortedKeys | undefined;
  #nextOrdinal = 0;

  /** @param large whether keys are kept from the first row on: to look through many at once would hold everybody up */
  constructor(name: string, spec: CollectionSpec<unknown>, large = false) {
    this.name = name;
    this.spec = spec;
    this.#sortings = ordersOf(spec).map((order) => ({ order, keys: large ? new SortedKeys() : undefined }));
    if (large && spec.until) this.#ends = new SortedKeys();
    const { indexes } = spec;
    this.#indexes =
      indexes === undefined
        ? none
        : Object.entries(indexes).map(([index, keyOf]) => ({
            name: index,
            keyOf,
            idsByKey: large ? new Map() : undefined,
          }));
  }

  get size(): number {
    return this.#rows.size + (this.#late?.size ?? 0);
  }

  get nextOrdinal(): number {
    return this.#nextOrdinal;
  }

  row(id: string): Row | undefined {
    return this.#rows.get(id) ?? this.#late?.get(id);
  }

  rows(): Iterable<Row> {
    const late = this.#lateInOrder();
    return late.length === 0 ? this.#rows.values() : inOrder([late, this.#rows.values()]);
  }

  matching(index: string, key: string): Row[] {
    const found: Row[] = [];
    for (const id of idsUnder(this.#idsByKey(index), key)) {
      const row = this.row(id);
      if (row) found.push(row);
    }
    // A record that left a key and came back is last in the set although it is not the newest.
    return found.sort((one, other) => one.ordinal - other.ordinal);
  }

  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string> {
    const sorting = this.#sortings.find((one) => one.order.name === order);
    if (sorting === undefined) throw new Error(`The collection ${this.name} has no order ${order}`);
    sorting.keys ??= new SortedKeys(Array.from(this.rows()).flatMap((row) => sorting.order.keyOf(row) ?? []));
    return sorting.keys.from(edge, reverse);
  }

  ends(): Iterable<string> {
    if (!this.spec.until) throw new Error(`The collection ${this.name} has no ends`);
    this.#ends ??= new SortedKeys([...this.rows()].flatMap((row) => endKeyOf(this.spec, row) ?? []));
    return this.#ends.from(undefined, false);
  }

  /** Stores `record`, which is frozen. Only a layer above gives the ordinal: it knows what lies below. */
  put(id: string, record: unknown, given?: number): void {
    this.putOver(this.row(id), id, record, given);
  }

  /** The same for whoever has looked already what is there: `before` is the row of this id. */
  putOver(before: Row | undefined, id: string, record: unknown, given?: number): void {
    const ordinal = given ?? before?.ordinal ?? this.#nextOrdinal;
    const row = { id, record, ordinal };
    // All keys first: an index function that throws must leave everything as it was.
    const keys = this.#keysOf(row);
    const wasLate = this.#late?.has(id) === true;
    if (before && !wasLate && this.#views) for (const view of this.#views) view.replaced(before);
    this.#rekey(id, before && this.#keysOf(before), keys);
    this.#rowsFor(before === undefined ? ordinal < this.#nextOrdinal : wasLate).set(id, row);
    this.#nextOrdinal = Math.max(this.#nextOrdinal, ordinal + 1);
  }

  remove(id: string): void {
    const row = this.row(id);
    if (row) this.take(row);
  }

  /** Takes away a row that is there. */
  take(row: Row): void {
    this.#rekey(row.id, this.#keysOf(row), undefined);
    // A view has those that were late when it was opened, and never sees others.
    if (this.#late?.delete(row.id)) return;
    if (this.#views) for (const view of this.#views) view.removed(row);
    this.#rows.delete(row.id);
  }

  #rowsFor(isLate: boolean): Map<string, Row> {
    if (!isLate) return this.#rows;
    this.#late ??= new Map();
    return this.#late;
  }

  /** A view of the rows as they are now, which is told of what goes until it is closed. */
  open(): RowsView {
    this.#views ??= new Set();
    const views = this.#views;
    const close = () => void views.delete(view);
    const view = new RowsView(this.#rows.values(), this.#nextOrdinal, close, this.#lateInOrder());
    views.add(view);
    return view;
  }

  /** Under what a row is found: by each index, and where it is in the orders that are kept. */
  #keysOf(row: Row): Keys {
    return {
      indexed: this.#indexes.length === 0 ? none : this.#indexes.map(({ keyOf }) => keyOf(row.record)),
      end: this.#ends && endKeyOf(this.spec, row),
      places: this.#sortings.length === 0 ? none : this.#sortings.map(({ order, keys }) => keys && order.keyOf(row)),
    };
  }

  /** Puts an id under its keys in place of those that it had. Most keys of a row never change: that costs nothing. */
  #rekey(id: string, before: Keys = noKeys, now: Keys = noKeys): void {
    for (let at = 0; at < this.#indexes.length; at += 1) {
      const idsByKey = this.#indexes[at]?.idsByKey;
      const [old, key] = [before.indexed[at], now.indexed[at]];
      if (idsByKey === undefined || old === key) continue;
      if (old !== undefined) takeFrom(idsByKey, old, id);
      addTo(idsByKey, key, id);
    }
    move(this.#ends, before.end, now.end);
    for (let at = 0; at < this.#sortings.length; at += 1) {
      move(this.#sortings[at]?.keys, before.places[at], now.places[at]);
    }
  }

  #lateInOrder(): Row[] {
    return [...(this.#late?.values() ?? none)].sort((one, other) => one.ordinal - other.ordinal);
  }

  #idsByKey(name: string): IdsByKey {
    const index = this.#indexes.find((known) => known.name === name);
    if (!index) throw new Error(`The collection ${this.name} has no index ${name}`);
    if (index.idsByKey !== undefined) return index.idsByKey;
    index.idsByKey = new Map();
    for (const { id, record } of this.rows()) addTo(index.idsByKey, index.keyOf(record), id);
    return index.idsByKey;
  }
}

/** What a row is found under; an order that is not kept has no key. */
interface Keys {
  readonly indexed: readonly (string | undefined)[];
  readonly end: string | undefined;
  readonly places: readonly (string | undefined)[];
}

const noKeys: Keys = { indexed: none, end: undefined, places: none };

function move(keys: SortedKeys | undefined, before: string | undefined, now: string | undefined): void {
  if (keys === undefined || before === now) return;
  if (before !== undefined) keys.remove(before);
  if (now !== undefined) keys.add(now);
}

function idsUnder(idsByKey: IdsByKey, key: string): Iterable<string> {
  const ids = idsByKey.get(key) ?? [];
  return typeof ids === 'string' ? [ids] : ids;
}

function addTo(idsByKey: IdsByKey, key: string | undefined, id: string): void {
  if (key === undefined) return;
  const ids = idsByKey.get(key);
  if (ids === undefined) idsByKey.set(key, id);
  else if (typeof ids !== 'string') ids.add(id);
  else if (ids !== id) idsByKey.set(key, new Set([ids, id]));
}

function takeFrom(idsByKey: IdsByKey, key: string, id: string): void {
  const ids = idsByKey.get(key);
  if (ids === id) idsByKey.delete(key);
  if (!(ids instanceof Set)) return;
  ids.delete(id);
  if (ids.size === 0) idsByKey.delete(key);
}
