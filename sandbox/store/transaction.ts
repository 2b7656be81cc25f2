import { Collection, type ReadableCollection } from './collection.ts';
import { freezeRecord, growthOf } from './record.ts';
import { ordersOf } from './sorted.ts';
import type { CollectionSpec, Tx } from './store.ts';
import type { Row } from './view.ts';
import { ReadByName, type WrittenChange } from './working-set.ts';

/**
 * Changes laid over one collection, which stays as it is. Staged changes have indexes of their own, so the
 * cost of a read grows with what it finds, not with what is stored.
 */
class Staged implements ReadableCollection {
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
interface Undo {
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

/** Changes staged over a working set, by one transaction after another. */
export class Overlay<Collections> extends ReadByName<Collections> {
  readonly #base: ReadByName<Collections>;
  readonly #staged = new Map<string, Staged>();

  constructor(base: ReadByName<Collections>) {
    super();
    this.#base = base;
  }

  override collection(name: string): ReadableCollection {
    return this.#staged.get(name) ?? this.#base.collection(name);
  }

  /** What changes to a collection are staged in. */
  over(collection: string): Staged {
    const existing = this.#staged.get(collection);
    if (existing !== undefined) return existing;
    const staged = new Staged(this.#base.collection(collection));
    this.#staged.set(collection, staged);
    return staged;
  }
}

/** What a `change` function is handed: its changes are staged immediately, and can be undone until the next begins. */
export class Transaction<Collections> extends ReadByName<Collections> implements Tx<Collections> {
  readonly changes: WrittenChange[] = [];
  /** Undefined once it is decided. */
  #overlay: Overlay<Collections> | undefined;
  readonly #undos: Undo[] = [];
  #growth = 0;
  #isEssential = false;

  constructor(overlay: Overlay<Collections>) {
    super();
    this.#overlay = overlay;
  }

  /** How many bytes the store grows by with it. */
  get growth(): number {
    return this.#growth;
  }

  /** Whether it is never refused for what it adds. */
  get isEssential(): boolean {
    return this.#isEssential;
  }

  override collection(name: string): ReadableCollection {
    return (this.#overlay ?? ended()).collection(name);
  }

  put<C extends keyof Collections>(collection: C, id: string, record: Collections[C]): void {
    const name = String(collection);
    this.#stage({ collection: name, id, record: freezeRecord(record, `${name} ${id}`) });
  }

  add<C extends keyof Collections>(collection: C, id: string, record: Collections[C]): void {
    if (this.get(collection, id) !== undefined) throw new Error(`${String(collection)} already has a record ${id}`);
    this.put(collection, id, record);
  }

  remove<C extends keyof Collections>(collection: C, id: string): void {
    this.#stage({ collection: String(collection), id, record: undefined });
  }

  /** Makes every later use fail: it is decided. */
  end(): void {
    this.#overlay = undefined;
  }

  /** Undoes all that it staged. */
  undo(): void {
    for (const undo of this.#undos.reverse()) undo.staged.undo(undo);
  }

  #stage(change: WrittenChange): void {
    const staged = (this.#overlay ?? ended()).over(change.collection);
    const undo = staged.stage(change.id, change.record);
    if (undo === undefined) return;
    const { spec } = staged;
    const before = (undo.row ?? undo.below)?.record;
    this.#growth += growthOf(spec, change.id, before, change.record);
    this.#isEssential ||= spec.essential === true;
    this.#undos.push(undo);
    this.changes.push({ ...change, before });
  }
}

function ended(): never {
  throw new Error('This transaction has ended: use `tx` only until `change` returns');
}
