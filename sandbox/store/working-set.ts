import { Collection, endOf, idAt, type ReadableCollection } from './collection.ts';
import { freezeRecord } from './record.ts';
import type { Row } from './row.ts';
import { Staged } from './staged.ts';
import type { BooksSpec, CollectionSpec, Ending, Range, Reader, Tx } from './store.ts';
import { type Slice, View } from './view.ts';

/** A change as it is written down: `record` is undefined for a removal. */
export interface WrittenChange {
  readonly collection: string;
  readonly id: string;
  readonly record: unknown;
}

/** Reads by collection name; the two below differ in what a name leads to. */
abstract class ReadByName<Books> implements Reader<Books> {
  /** A collection of the spec; throws for any other. */
  abstract collection(name: string): ReadableCollection;

  get<C extends keyof Books>(collection: C, id: string): Books[C] | undefined {
    return this.collection(String(collection)).row(id)?.record as Books[C] | undefined;
  }

  find<C extends keyof Books>(collection: C, index: string, key: string): readonly Books[C][] {
    return recordsOf(this.collection(String(collection)).matching(index, key));
  }

  range<C extends keyof Books>(
    collection: C,
    { after, limit = Infinity, reverse = false }: Range,
  ): readonly Books[C][] {
    const rows = this.collection(String(collection));
    const found: Row[] = [];
    for (const place of rows.places(after, reverse)) {
      if (found.length >= limit) break;
      const row = rows.row(idAt(rows.spec, place));
      if (row) found.push(row);
    }
    return recordsOf(found);
  }

  all<C extends keyof Books>(collection: C): readonly Books[C][] {
    return recordsOf(this.collection(String(collection)).rows());
  }

  ids<C extends keyof Books>(collection: C): readonly string[] {
    return Array.from(this.collection(String(collection)).rows(), (row) => row.id);
  }

  count<C extends keyof Books>(collection: C): number {
    return this.collection(String(collection)).size;
  }

  ending<C extends keyof Books>(collection: C): Ending | undefined {
    for (const key of this.collection(String(collection)).ends()) return endOf(key);
    return undefined;
  }
}

/** Everything that is stored, in memory. It holds durable state only: changes are applied after they were persisted. */
export class WorkingSet<Books> extends ReadByName<Books> {
  readonly #spec: BooksSpec<Books>;
  readonly #collections = new Map<string, Collection>();

  constructor(spec: BooksSpec<Books>) {
    super();
    this.#spec = spec;
    for (const [name, collection] of Object.entries<CollectionSpec<never>>(spec)) {
      this.#collections.set(name, new Collection(name, collection as CollectionSpec<unknown>, true));
    }
  }

  override collection(name: string): ReadableCollection {
    const known = Object.hasOwn(this.#spec, name) ? this.#collections.get(name) : undefined;
    if (!known) throw new Error(`The store has no collection ${name}`);
    return known;
  }

  /** Applies changes whose records are frozen. */
  apply(changes: readonly WrittenChange[]): void {
    for (const { collection, id, record } of changes) {
      if (record === undefined) this.#kept(collection).remove(id);
      else this.#kept(collection).put(id, record);
    }
  }

  /** Takes in changes as they were read from disk. */
  restore(changes: Iterable<WrittenChange>): void {
    for (const { collection, id, record } of changes) {
      this.apply([
        { collection, id, record: record === undefined ? record : freezeRecord(record, `${collection} ${id}`) },
      ]);
    }
  }

  /** Takes in more of what is to be stored. */
  load({ collection, rows }: Slice): void {
    const kept = this.#kept(collection);
    for (const { id, record } of rows) kept.put(id, record);
  }

  /** An empty one for the same books. */
  successor(): WorkingSet<Books> {
    return new WorkingSet(this.#spec);
  }

  /** Everything as it is now, to be read while it changes. Whoever opens a view closes it. */
  view(): View {
    return new View(this.#collections.values());
  }

  /** A collection that only another version knows is carried along, not served and not lost. */
  #kept(name: string): Collection {
    const known = this.#collections.get(name);
    if (known) return known;
    const foreign = new Collection(name, {});
    this.#collections.set(name, foreign);
    return foreign;
  }
}

/** Changes staged over a working set or over another overlay; what a `change` function is handed. */
export class Overlay<Books> extends ReadByName<Books> implements Tx<Books> {
  readonly #base: ReadByName<Books>;
  readonly #staged = new Map<string, Staged>();
  readonly #changes: WrittenChange[] = [];
  #over = false;

  constructor(base: ReadByName<Books>) {
    super();
    this.#base = base;
  }

  /** What was staged, in the order of the calls. */
  get changes(): readonly WrittenChange[] {
    return this.#changes;
  }

  override collection(name: string): ReadableCollection {
    if (this.#over) throw new Error('This transaction is over: `tx` works only until `change` returns');
    return this.#staged.get(name) ?? this.#base.collection(name);
  }

  put<C extends keyof Books>(collection: C, id: string, record: Books[C]): void {
    const name = String(collection);
    this.absorb([{ collection: name, id, record: freezeRecord(record, `${name} ${id}`) }]);
  }

  add<C extends keyof Books>(collection: C, id: string, record: Books[C]): void {
    if (this.get(collection, id) !== undefined) throw new Error(`${String(collection)} has one under ${id} already`);
    this.put(collection, id, record);
  }

  remove<C extends keyof Books>(collection: C, id: string): void {
    if (this.collection(String(collection)).row(id))
      this.absorb([{ collection: String(collection), id, record: undefined }]);
  }

  /** Takes over the changes of an overlay that was laid on this one. */
  absorb(changes: readonly WrittenChange[]): void {
    for (const change of changes) {
      const staged = this.#writable(change.collection);
      if (change.record === undefined) staged.remove(change.id);
      else staged.put(change.id, change.record);
      this.#changes.push(change);
    }
  }

  /** Makes every later use of this overlay fail: the transaction it belonged to is decided. */
  end(): void {
    this.#over = true;
  }

  #writable(name: string): Staged {
    const base = this.collection(name);
    const staged = this.#staged.get(name) ?? new Staged(base);
    this.#staged.set(name, staged);
    return staged;
  }
}

function recordsOf<R>(rows: Iterable<Row>): readonly R[] {
  return Array.from(rows, (row) => row.record as R);
}
