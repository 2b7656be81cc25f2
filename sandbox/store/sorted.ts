import type { Row } from './row.ts';
import type { CollectionSpec, Ending, Range } from './store.ts';

export type Keyed = Pick<Row, 'id' | 'record'>;

/** A sort order of a collection: `ordered`, one of the `sorted` indexes, or by expiry (`until`). */
export interface SortOrder {
  /** The name of the index; empty for `ordered`, and `byEnd` for `until`. */
  readonly name: string;
  /** Returns the sort key of a row, which ends with the row's id, or undefined if the row is not in this order. */
  keyOf(row: Keyed): string | undefined;
  /** Returns the id of the row with this key. Omitted if the key is the id. */
  readonly idOf?: (key: string) => string;
}

/** A collection with its orders by name. */
interface Ordered {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  readonly orders: ReadonlyMap<string, SortOrder>;
}

/** The name of the order by expiry. No index has this name. */
export const byEnd = ' until';
/** The number of digits of a timestamp in a sort key. */
const digits = 16;

const byId: SortOrder = { name: '', keyOf: ({ id }) => id };

/** Returns the orders of a collection, by name. */
export function ordersOf(spec: CollectionSpec<unknown>): ReadonlyMap<string, SortOrder> {
  const orders = [
    ...primary(spec),
    ...Object.entries(spec.sorted ?? {}).map(sorted),
    ...(spec.until ? [ending(spec.until)] : []),
  ];
  return new Map(orders.map((order) => [order.name, order]));
}

/**
 * Returns the bounds of a range: the common prefix of its keys, and the exclusive start `edge`. Keys are strictly after
 * it, or strictly before it in descending order. Throws if the collection does not have that order.
 */
export function scanOf({ name, spec, orders }: Ordered, range: Range) {
  const { by, group, after, id, reverse } = range;
  const order = orders.get(by ?? '');
  if (order === undefined) {
    throw new Error(`The collection ${name} is not ordered${by === undefined ? '' : ` by ${by}`}: it has no range`);
  }
  const prefix = by === undefined ? '' : `${escaped(group ?? '')} `;
  if (after !== undefined && id !== undefined) return { order, prefix, edge: `${prefix}${after} ${id}` };
  const hasOwnKey = by !== undefined || typeof spec.ordered === 'function';
  if (after !== undefined) return { order, prefix, edge: `${prefix}${after}${hasOwnKey && !reverse ? '!' : ''}` };
  // `!` is the character after the space.
  if (by !== undefined && reverse) return { order, prefix, edge: `${prefix.slice(0, -1)}!` };
  return { order, prefix, edge: by === undefined ? undefined : prefix };
}

function primary({ ordered }: CollectionSpec<unknown>): readonly SortOrder[] {
  if (ordered === undefined) return [];
  if (ordered === true) return [byId];
  const keyOf = ({ id, record }: Keyed) => {
    const key = ordered(record);
    return key === undefined ? undefined : `${key} ${id}`;
  };
  return [{ name: '', keyOf, idOf: (key) => key.slice(key.indexOf(' ') + 1) }];
}

type SortKeyOf = NonNullable<CollectionSpec<unknown>['sorted']>[string];

function sorted([name, sortKeyOf]: readonly [string, SortKeyOf]): SortOrder {
  const keyOf = ({ id, record }: Keyed) => {
    const place = sortKeyOf(record, id);
    return place && `${escaped(place[0])} ${place[1]} ${id}`;
  };
  return { name, keyOf, idOf: (key) => key.slice(key.indexOf(' ', key.indexOf(' ') + 1) + 1) };
}

function ending(until: NonNullable<CollectionSpec<unknown>['until']>): SortOrder {
  const keyOf = ({ id, record }: Keyed) => {
    const end = until(record);
    return end === undefined ? undefined : `${String(Math.ceil(end)).padStart(digits, '0')} ${id}`;
  };
  return { name: byEnd, keyOf, idOf: (key) => key.slice(digits + 1) };
}

/** Parses a key of the order `byEnd`. */
export function endingIn(key: string): Ending {
  return { id: key.slice(digits + 1), until: Number(key.slice(0, digits)) };
}

/** Escapes the spaces of a group, because a space ends the group in a key. */
function escaped(group: string): string {
  return group.replace(/[% ]/g, (character) => (character === '%' ? '%25' : '%20'));
}

/** Maximum number of keys in a chunk. A larger chunk is split in two. */
const mostOfPiece = 1024;

/**
 * Keys in order, compared by UTF-16 code units as in `sort()`. They are stored in non-empty chunks, so that adding or
 * removing a key costs about the same, regardless of their number.
 */
export class SortedKeys {
  readonly #pieces: string[][] = [];

  add(key: string): void {
    // Keys usually arrive in order. A key larger than all others is appended to the last chunk, and moves nothing.
    let at = this.#pieces.length - 1;
    if ((this.#pieces[at]?.at(-1) ?? key) > key) at = this.#pieceOf(key);
    const piece = this.#pieces[at];
    if (piece === undefined) {
      this.#pieces.push([key]);
      return;
    }
    if ((piece.at(-1) ?? key) <= key) piece.push(key);
    else piece.splice(place(piece, key), 0, key);
    if (piece.length <= mostOfPiece) return;
    // After an append, the full chunk stays full.
    const cut = piece.at(-1) === key ? mostOfPiece : mostOfPiece / 2;
    this.#pieces.splice(at + 1, 0, piece.splice(cut));
  }

  /** Removes an existing key. */
  remove(key: string): void {
    const at = this.#pieceOf(key);
    const piece = this.#pieces[at];
    if (piece === undefined) return;
    // Usually the first key is removed, which also avoids the search.
    if (piece[0] === key) piece.shift();
    else piece.splice(place(piece, key), 1);
    if (piece.length === 0) this.#pieces.splice(at, 1);
  }

  /** Yields the keys strictly after `after` in ascending order, or strictly before it in descending order. */
  *from(after: string | undefined, reverse: boolean): Generator<string> {
    const last = this.#pieces.length - 1;
    const step = reverse ? -1 : 1;
    let next = after === undefined ? (reverse ? last : 0) : Math.min(this.#pieceOf(after), last);
    for (let piece = this.#pieces[next]; piece !== undefined; piece = this.#pieces[next]) {
      const edge = after === undefined ? (reverse ? piece.length : 0) : place(piece, after);
      let at = reverse ? edge - 1 : piece[edge] === after ? edge + 1 : edge;
      for (let key = piece[at]; key !== undefined; key = piece[at]) {
        yield key;
        at += step;
      }
      next += step;
    }
  }

  /**
   * Returns the index of the chunk that contains or would contain `key`: the first chunk whose last key is not before
   * `key`.
   */
  #pieceOf(key: string): number {
    let low = 0;
    let high = this.#pieces.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#pieces[middle]?.at(-1);
      if (last !== undefined && last < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns the index of the key in a chunk, or the index at which to insert it. */
function place(piece: readonly string[], key: string): number {
  let low = 0;
  let high = piece.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = piece[middle];
    if (there !== undefined && there < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
