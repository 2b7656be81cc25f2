import { Collection, type ReadableCollection } from './collection.ts';
import { ordersOf } from './sort-order.ts';
import type { CollectionSpec } from './store.ts';
import type { Row } from './view.ts';

/**
 * Changes laid over one collection, which stays as it is. What is staged has look-ups of its own, so a read costs what
 * it finds below plus what it finds here, not what is stored.
 */
export class Staged implements ReadableCollection {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  readonly #base: ReadableCollection;
  readonly #puts: Collection;
  /** Ids of the base whose row there no longer counts: replaced or removed. */
  readonly #hidden = new Set<string>();
  #nextOrdinal: number;

  constructor(base: ReadableCollection) {
    this.name = base.name;
    this.spec = base.spec;
    this.#base = base;
    this.#puts = new Collection(base.name, base.spec);
    this.#nextOrdinal = base.nextOrdinal;
  }

  get size(): number {
    return this.#base.size - this.#hidden.size + this.#puts.size;
  }

  get nextOrdinal(): number {
    return this.#nextOrdinal;
  }

  row(id: string): Row | undefined {
    return this.#puts.row(id) ?? (this.#hidden.has(id) ? undefined : this.#base.row(id));
  }

  *rows(): Generator<Row> {
    for (const row of this.#base.rows()) {
      const now = this.#hidden.has(row.id) ? this.#puts.row(row.id) : row;
      if (now?.ordinal === row.ordinal) yield now;
    }
    // A rollback can have put a row behind newer ones.
    const added = Array.from(this.#puts.rows()).filter((row) => row.ordinal >= this.#base.nextOrdinal);
    yield* added.sort((one, other) => one.ordinal - other.ordinal);
  }

  matching(index: string, key: string): Row[] {
    const below = this.#base.matching(index, key).filter((row) => !this.#hidden.has(row.id));
    return [...below, ...this.#puts.matching(index, key)].sort((one, other) => one.ordinal - other.ordinal);
  }

  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string> {
    const below = this.#base.places(order, edge, reverse);
    const sort = ordersOf(this.spec).find(({ name }) => name === order);
    const isHidden = (place: string) => sort !== undefined && this.#hidden.has(sort.idOf(place));
    return merged(below, this.#puts.places(order, edge, reverse), isHidden, reverse);
  }

  /**
   * Stages `record`, which is frozen; left out, it stages the removal. Returns what `undo` needs; undefined where there
   * was nothing to remove.
   */
  stage(id: string, record: unknown): Undo | undefined {
    const staged = this.#puts.row(id);
    const wasHidden = this.#hidden.has(id);
    // What is staged and hides nothing has nothing below it.
    const below = wasHidden || staged ? undefined : this.#base.row(id);
    const undo = {
      staged: this,
      id,
      row: staged,
      wasHidden,
      nextOrdinal: this.#nextOrdinal,
      below,
    };
    if (record !== undefined) {
      const ordinal = staged?.ordinal ?? below?.ordinal ?? this.#nextOrdinal;
      this.#puts.put(id, record, ordinal);
      this.#nextOrdinal = Math.max(this.#nextOrdinal, ordinal + 1);
    } else if (staged) this.#puts.remove(id);
    else if (!below) return undefined;
    if (below) this.#hidden.add(id);
    return undo;
  }

  /** Takes back what was staged last. */
  undo({ id, row, wasHidden, nextOrdinal }: Undo): void {
    if (row) this.#puts.put(id, row.record, row.ordinal);
    else this.#puts.remove(id);
    if (!wasHidden) this.#hidden.delete(id);
    this.#nextOrdinal = nextOrdinal;
  }
}

/** What a row was before something was staged. */
export interface Undo {
  readonly staged: Staged;
  readonly id: string;
  readonly row: Row | undefined;
  readonly wasHidden: boolean;
  readonly nextOrdinal: number;
  /** The row of the base that it was staged over. */
  readonly below: Row | undefined;
}

/** Two sorted lists as one, without what is hidden of the one below. */
function* merged(
  below: Iterable<string>,
  above: Iterable<string>,
  isHidden: (key: string) => boolean,
  reverse: boolean,
): Generator<string> {
  const staged = above[Symbol.iterator]();
  let next = staged.next();
  for (const key of below) {
    if (isHidden(key)) continue;
    for (; !next.done && next.value < key !== reverse; next = staged.next()) yield next.value;
    yield key;
  }
  for (; !next.done; next = staged.next()) yield next.value;
}
