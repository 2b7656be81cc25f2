import { Collection, idAt, idIn, type ReadableCollection } from './collection.ts';
import type { Row } from './row.ts';
import type { CollectionSpec } from './store.ts';

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
    for (const row of this.#puts.rows()) if (row.ordinal >= this.#base.nextOrdinal) yield row;
  }

  matching(index: string, key: string): Row[] {
    const below = this.#base.matching(index, key).filter((row) => !this.#hidden.has(row.id));
    return [...below, ...this.#puts.matching(index, key)].sort((one, other) => one.ordinal - other.ordinal);
  }

  places(after: string | undefined, reverse: boolean): Iterable<string> {
    const below = this.#base.places(after, reverse);
    const isHidden = (place: string) => this.#hidden.has(idAt(this.spec, place));
    return merged(below, this.#puts.places(after, reverse), isHidden, reverse);
  }

  ends(): Iterable<string> {
    return merged(this.#base.ends(), this.#puts.ends(), (key) => this.#hidden.has(idIn(key)), false);
  }

  /** Stages `record`, which is frozen. */
  put(id: string, record: unknown): void {
    const ordinal = this.row(id)?.ordinal ?? this.#nextOrdinal;
    this.#puts.put(id, record, ordinal);
    if (this.#base.row(id)) this.#hidden.add(id);
    this.#nextOrdinal = Math.max(this.#nextOrdinal, ordinal + 1);
  }

  remove(id: string): void {
    this.#puts.remove(id);
    if (this.#base.row(id)) this.#hidden.add(id);
  }
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
