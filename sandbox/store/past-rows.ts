import { Bits } from './bits.ts';
import { endKeyOf } from './collection.ts';
import { lowest } from './entries.ts';
import { inOrder, merged } from './merged.ts';
import type { Row } from './row.ts';
import { SoughtKey } from './row-hash.ts';
import type { SegmentPart } from './segment.ts';
import { edgeEach, type PartOrder } from './segment-index.ts';
import { ordersOf, type SortOrder } from './sort-order.ts';
import type { CollectionSpec } from './store.ts';

/** A part that counts, with the rows of it that do not any more: they were replaced or removed since. */
export class HeldPart {
  readonly part: SegmentPart;
  readonly hidden: Bits;
  /** The first of its ends that may still count, and what that is. */
  #firstEnd = 0;
  #end: { readonly at: number; readonly key: string } | undefined;

  constructor(part: SegmentPart, hidden = new Bits(part.rows)) {
    this.part = part;
    this.hidden = hidden;
  }

  /** As it is now, while this one changes. */
  copy(): HeldPart {
    return new HeldPart(this.part, this.hidden.copy(this.part.rows));
  }

  get size(): number {
    return this.part.rows - this.hidden.count;
  }

  hide(number: number): void {
    this.hidden.add(number);
  }

  show(number: number): void {
    this.hidden.delete(number);
    this.#firstEnd = 0;
  }

  /** The number of the row under an id. */
  find(id: SoughtKey): number | undefined {
    const { ids } = this.part.index;
    return ids.rowsUnder(id).find((number) => !this.hidden.has(number) && this.part.row(number).id === id.key);
  }

  /** The rows that `keyOf` gives a key. */
  matching(index: string, sought: SoughtKey, keyOf: (record: unknown) => string | undefined): Row[] {
    const numbers = this.part.index.indexes.get(index)?.rowsUnder(sought) ?? [];
    const rows = numbers.filter((number) => !this.hidden.has(number)).map((number) => this.part.row(number));
    return rows.filter(({ record }) => keyOf(record) === sought.key);
  }

  /** All rows with their numbers, oldest insertion first, read a block at a time. */
  *numbered(): Generator<readonly [number, Row]> {
    for (let number = 0; number < this.part.rows; ) {
      const block = this.part.blockFrom(number);
      for (const row of block) {
        if (!this.hidden.has(number)) yield [number, row];
        number += 1;
      }
    }
  }

  *rows(): Generator<Row> {
    for (const [, row] of this.numbered()) yield row;
  }

  *places(order: SortOrder, edge: string | undefined, reverse: boolean): Generator<string> {
    const kept = this.part.index.orders.get(order.name);
    if (kept === undefined) return;
    const { rows } = kept;
    const step = reverse ? -1 : 1;
    const from = edge === undefined ? (reverse ? rows.length : 0) : this.#placeAfter(order, kept, edge, reverse);
    for (let at = reverse ? from - 1 : from; at >= 0 && at < rows.length; at += step) {
      if (this.hidden.has(rows[at] ?? 0)) continue;
      yield this.#place(order, kept, at);
    }
  }

  *ends(spec: CollectionSpec<unknown>): Generator<string> {
    const { ended } = this.part.index;
    while (this.#firstEnd < ended.length && this.hidden.has(ended[this.#firstEnd] ?? 0)) this.#firstEnd += 1;
    for (let at = this.#firstEnd; at < ended.length; at += 1) {
      const number = ended[at] ?? 0;
      if (this.hidden.has(number)) continue;
      // What ends first is asked for again and again.
      if (this.#end?.at !== at) this.#end = { at, key: endKeyOf(spec, this.part.row(number)) ?? '' };
      yield this.#end.key;
    }
  }

  /** The first number in the order that is strictly after an edge, or, reversed, not before it. */
  #placeAfter(order: SortOrder, kept: PartOrder, edge: string, reverse: boolean): number {
    const { edges, rows } = kept;
    const isBeyond = (place: string) => (reverse ? place >= edge : place > edge);
    const known = lowest(edges.length, (at) => isBeyond(edges[at] ?? ''));
    const from = Math.max(0, known - 1) * edgeEach;
    const to = Math.min(rows.length, known * edgeEach);
    return from + lowest(to - from, (at) => isBeyond(this.#place(order, kept, from + at)));
  }

  #place(order: SortOrder, { rows }: PartOrder, at: number): string {
    return order.keyOf(this.part.row(rows[at] ?? 0)) ?? '';
  }
}

/** Where a row of the past is. */
export interface PastRow {
  readonly row: Row;
  readonly held: HeldPart;
  readonly number: number;
}

/** The rows of one collection that are in segments and still count. */
export class PastRows {
  readonly #spec: CollectionSpec<unknown>;
  #parts: readonly HeldPart[] = [];

  constructor(spec: CollectionSpec<unknown>) {
    this.#spec = spec;
  }

  get parts(): readonly HeldPart[] {
    return this.#parts;
  }

  set parts(parts: readonly HeldPart[]) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** The ordinal of the newest row that was ever in a segment that counts; -1 where there is none. */
  get last(): number {
    return Math.max(-1, ...this.#parts.map(({ part }) => part.index.last));
  }

  find(id: string): PastRow | undefined {
    const sought = new SoughtKey(id);
    for (const held of this.#parts) {
      const number = held.find(sought);
      if (number !== undefined) return { row: held.part.row(number), held, number };
    }
    return undefined;
  }

  matching(index: string, key: string): Row[] {
    const keyOf = this.#spec.indexes?.[index];
    if (keyOf === undefined) return [];
    const sought = new SoughtKey(key);
    return this.#parts.flatMap((held) => held.matching(index, sought, keyOf));
  }

  rows(): Generator<Row> {
    return inOrder(this.#parts.map((held) => held.rows()));
  }

  /** As they are now, while they change. */
  copy(): PastRows {
    const copy = new PastRows(this.#spec);
    copy.parts = this.#parts.map((held) => held.copy());
    return copy;
  }

  places(name: string, edge: string | undefined, reverse: boolean): readonly Generator<string>[] {
    const order = ordersOf(this.#spec).find((one) => one.name === name);
    return order === undefined ? [] : this.#parts.map((held) => held.places(order, edge, reverse));
  }

  ends(): readonly Generator<string>[] {
    return this.#parts.map((held) => held.ends(this.#spec));
  }
}

/** Keys of several lists in one order. */
export function mergedKeys(lists: readonly Iterable<string>[], reverse: boolean): Generator<string> {
  return merged(lists, (one, other) => (reverse ? one > other : one < other));
}
