import { mostAtOpening, rowBytes } from './byte-budget.ts';
import { Collection, endOf, type ReadableCollection } from './collection.ts';
import { type HeldSegment, History, heldBy, isFindable } from './history.ts';
import { LayeredCollection } from './layered.ts';
import { freezeRecord } from './record.ts';
import type { Row } from './row.ts';
import type { Segment, SegmentNote } from './segment.ts';
import { scanOf } from './sort-order.ts';
import { Staged, type Undo } from './staged.ts';
import {
  type BooksSpec,
  type CollectionSpec,
  type Durability,
  type Ending,
  type Range,
  type Reader,
  StoreFullError,
  type Tx,
} from './store.ts';
import { type Slice, View } from './view.ts';

/** A change as it is written down: `record` is undefined for a removal. */
export interface WrittenChange {
  readonly collection: string;
  readonly id: string;
  readonly record: unknown;
  /** The record that it takes the place of, or removes; not written down. */
  readonly before?: unknown;
}

/** A row that a change takes the place of, or removes. */
export type Replaced = Pick<WrittenChange, 'collection' | 'id'>;

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

  range<C extends keyof Books>(collection: C, range: Range): readonly Books[C][] {
    const rows = this.collection(String(collection));
    return recordsOf(idsIn(rows, range).flatMap((id) => rows.row(id) ?? []));
  }

  all<C extends keyof Books>(collection: C): readonly Books[C][] {
    return recordsOf(this.collection(String(collection)).rows());
  }

  ids<C extends keyof Books>(collection: C, range?: Range): readonly string[] {
    const rows = this.collection(String(collection));
    return range === undefined ? Array.from(rows.rows(), (row) => row.id) : idsIn(rows, range);
  }

  count<C extends keyof Books>(collection: C): number {
    return this.collection(String(collection)).size;
  }

  ending<C extends keyof Books>(collection: C): Ending | undefined {
    for (const key of this.collection(String(collection)).ends()) return endOf(key);
    return undefined;
  }
}

/**
 * Everything that is stored: in memory, and what is history in segments. It holds durable state only: changes are applied
 * after they were persisted.
 */
export class WorkingSet<Books> extends ReadByName<Books> {
  readonly #spec: BooksSpec<Books>;
  readonly #collections = new Map<string, Collection | LayeredCollection>();
  readonly history = new History();
  readonly #hasHistory: boolean;
  /** Whether a fold is under way, at whose end rows of history leave memory. */
  isMoving = false;
  /** How many rows it was loaded with that are history, and stay in memory until the next fold. */
  #unmoved = 0;

  /** The limit of the store. */
  readonly maxBytes: number;
  #bytes = 0;

  /**
   * @param hasHistory whether what is history can leave memory
   * @param maxBytes the limit of the store, beyond which it cannot be filled
   */
  constructor(
    spec: BooksSpec<Books>,
    {
      hasHistory = false,
      maxBytes = Number.POSITIVE_INFINITY,
    }: { readonly hasHistory?: boolean; readonly maxBytes?: number | undefined } = {},
  ) {
    super();
    this.#spec = spec;
    this.#hasHistory = hasHistory;
    this.maxBytes = maxBytes;
    for (const [name, collection] of Object.entries<CollectionSpec<never>>(spec)) {
      const known = collection as CollectionSpec<unknown>;
      const isLayered = hasHistory && known.history !== undefined;
      this.#collections.set(name, isLayered ? new LayeredCollection(name, known) : new Collection(name, known, true));
    }
  }

  /** How many bytes it was filled with. What is in segments counts as much as it takes there. */
  get bytes(): number {
    return this.#bytes;
  }

  get unmoved(): number {
    return this.#unmoved;
  }

  /** Says that what was history when a fold began leaves memory now. */
  moved(): void {
    this.#unmoved = 0;
  }

  override collection(name: string): ReadableCollection {
    const known = Object.hasOwn(this.#spec, name) ? this.#collections.get(name) : undefined;
    if (!known) throw new Error(`The store has no collection ${name}`);
    return known;
  }

  /**
   * Has rows in memory until changes are applied to them, so that applying these reads nothing and cannot fail: they are
   * durable by then. Throws where one cannot be read.
   */
  hold(replaced: readonly Replaced[]): void {
    for (const { collection, id } of replaced) this.layered(collection)?.hold(id, this.isMoving);
  }

  /** Applies changes whose records are frozen, and whose rows are held. */
  apply(changes: readonly WrittenChange[]): void {
    for (const { collection, id, record } of changes) {
      const kept = this.#kept(collection);
      if (kept instanceof LayeredCollection) {
        if (record === undefined) kept.removeHeld(id);
        else kept.putHeld(id, record);
      } else if (record === undefined) kept.remove(id);
      else kept.put(id, record);
    }
  }

  /** Takes in changes as they were read from disk. Throws `StoreFullError` where they are too many. */
  restore(changes: Iterable<WrittenChange>): void {
    for (const { collection, id, record } of changes) {
      const kept = this.#kept(collection);
      this.#count(rowBytes(kept.spec, id, record) - rowBytes(kept.spec, id, kept.row(id)?.record));
      if (record === undefined) kept.remove(id);
      else kept.put(id, freezeRecord(record, `${collection} ${id}`));
    }
  }

  /** Takes in more of what is to be stored. Throws `StoreFullError` where it is too much. */
  load({ collection, rows }: Slice): void {
    const kept = this.#kept(collection);
    const isHistory = this.layered(collection)?.spec.history;
    for (const { id, record, ordinal } of rows) {
      this.#count(rowBytes(kept.spec, id, record));
      kept.put(id, record, ordinal);
      if (isHistory?.(record)) this.#unmoved += 1;
    }
  }

  #count(growth: number): void {
    this.#bytes += growth;
    if (this.#bytes > mostAtOpening(this.maxBytes)) throw new StoreFullError(this.maxBytes);
  }

  /** The collection of this name, where its history can leave memory. */
  layered(name: string): LayeredCollection | undefined {
    const kept = this.#collections.get(name);
    return kept instanceof LayeredCollection ? kept : undefined;
  }

  /** Takes in a segment that counts. What an earlier version kept in another way comes back to memory. */
  async attach(segment: Segment, note: SegmentNote): Promise<void> {
    const held = heldBy(segment, note.hidden);
    const rows = [...segment.parts.values()].reduce((sum, part) => sum + part.rows, 0);
    for (const [name, part] of held.parts) {
      const layered = this.layered(name);
      if (layered && isFindable(part.part, layered.spec)) {
        this.#count((segment.size * part.size) / rows);
        continue;
      }
      for (const [number, { id, record, ordinal }] of part.numbered()) {
        this.#count(rowBytes(this.#kept(name).spec, id, record));
        this.#kept(name).put(id, record, ordinal);
        part.hide(number);
      }
    }
    await this.change([held], []);
  }

  /** Puts segments in place of others. */
  async change(added: readonly HeldSegment[], gone: readonly Segment[]): Promise<void> {
    const layered = [...this.#collections.values()].filter((kept) => kept instanceof LayeredCollection);
    await this.history.change(added, gone, layered);
  }

  /** An empty one for the same books. */
  successor(): WorkingSet<Books> {
    return new WorkingSet(this.#spec, { hasHistory: this.#hasHistory, maxBytes: this.maxBytes });
  }

  /** Everything as it is now, to be read while it changes. Whoever opens a view closes it. */
  view(): View {
    return new View(this.#collections.values());
  }

  /** What is in memory, in the same way. */
  memoryView(): View {
    const collections = [...this.#collections.values()];
    return new View(collections.map((kept) => (kept instanceof LayeredCollection ? kept.memory : kept)));
  }

  /** A collection that only another version knows is carried along, not served and not lost. */
  #kept(name: string): Collection | LayeredCollection {
    const known = this.#collections.get(name);
    if (known) return known;
    const foreign = new Collection(name, {});
    this.#collections.set(name, foreign);
    return foreign;
  }
}

/** Changes staged over a working set or over another overlay, by one transaction after another. */
export class Overlay<Books> extends ReadByName<Books> {
  #base: ReadByName<Books>;
  readonly #staged = new Map<string, Staged>();

  constructor(base: ReadByName<Books>) {
    super();
    this.#base = base;
  }

  override collection(name: string): ReadableCollection {
    return this.#staged.get(name) ?? this.#base.collection(name);
  }

  /** Lies from now on over what holds the same rows. */
  rebase(base: ReadByName<Books>): void {
    this.#base = base;
    for (const [name, staged] of this.#staged) staged.rebase(base.collection(name));
  }

  /** What changes to a collection are staged in. */
  over(collection: string): Staged {
    const known = this.#staged.get(collection);
    if (known !== undefined) return known;
    const staged = new Staged(this.#base.collection(collection));
    this.#staged.set(collection, staged);
    return staged;
  }
}

/** What a `change` function is handed: its changes are staged at once, and can be taken back until the next begins. */
export class Transaction<Books> extends ReadByName<Books> implements Tx<Books> {
  readonly changes: WrittenChange[] = [];
  /** Rows that were there before, and that these take the place of. */
  readonly replaced: Replaced[] = [];
  readonly #overlay: Overlay<Books>;
  readonly #undos: Undo[] = [];
  #hasTouched: { [D in Durability]?: true } = {};
  #growth = 0;
  #isEssential = false;
  #over = false;

  constructor(overlay: Overlay<Books>) {
    super();
    this.#overlay = overlay;
  }

  override collection(name: string): ReadableCollection {
    return this.#touched(this.#whileOpen().collection(name));
  }

  #whileOpen(): Overlay<Books> {
    if (this.#over) throw new Error('This transaction is over: `tx` works only until `change` returns');
    return this.#overlay;
  }

  #touched<C extends ReadableCollection>(collection: C): C {
    this.#hasTouched[collection.spec.durability ?? 'synced'] = true;
    return collection;
  }

  /** Whether it read or changed collections, all of them of this durability. */
  touchedOnly(durability: Durability): boolean {
    const { synced = false, written = false } = this.#hasTouched;
    return durability === 'written' ? written && !synced : synced && !written;
  }

  put<C extends keyof Books>(collection: C, id: string, record: Books[C]): void {
    const name = String(collection);
    this.#stage({ collection: name, id, record: freezeRecord(record, `${name} ${id}`) });
  }

  add<C extends keyof Books>(collection: C, id: string, record: Books[C]): void {
    if (this.get(collection, id) !== undefined) throw new Error(`${String(collection)} has one under ${id} already`);
    this.put(collection, id, record);
  }

  remove<C extends keyof Books>(collection: C, id: string): void {
    this.#stage({ collection: String(collection), id, record: undefined });
  }

  /** How many bytes the store grows by with it. */
  get growth(): number {
    return this.#growth;
  }

  /** Whether it is never refused for what it adds. */
  get isEssential(): boolean {
    return this.#isEssential;
  }

  /** Makes every later use fail: it is decided. */
  end(): void {
    this.#over = true;
  }

  /** Takes back all that it staged. */
  undo(): void {
    for (const undo of this.#undos.reverse()) undo.staged.undo(undo);
  }

  #stage(change: WrittenChange): void {
    const staged = this.#touched(this.#whileOpen().over(change.collection));
    const undo = staged.stage(change.id, change.record);
    if (undo === undefined) return;
    const { spec } = staged;
    const before = (undo.row ?? undo.below)?.record;
    this.#growth += rowBytes(spec, change.id, change.record) - rowBytes(spec, change.id, before);
    this.#isEssential ||= spec.essential === true;
    this.#undos.push(undo);
    this.changes.push({ ...change, before });
    if (undo.below !== undefined) this.replaced.push(change);
  }
}

/** The ids of the rows of a range, in its order. */
function idsIn(rows: ReadableCollection, range: Range): string[] {
  const { limit = Infinity, reverse = false } = range;
  const { order, edge, prefix } = scanOf(rows.name, rows.spec, range);
  const found: string[] = [];
  for (const place of rows.places(order.name, edge, reverse)) {
    if (found.length >= limit || !place.startsWith(prefix)) break;
    found.push(order.idOf(place));
  }
  return found;
}

function recordsOf<R>(rows: Iterable<Row>): readonly R[] {
  return Array.from(rows, (row) => row.record as R);
}
