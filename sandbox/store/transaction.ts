import type { ByteBudget } from './byte-budget.ts';
import {
  byOrdinal,
  Collection,
  type CollectionDefinition,
  type Keys,
  type ReadableCollection,
  type WritableCollection,
} from './collection.ts';
import type { Prepared } from './commit-log.ts';
import type { Row } from './row.ts';
import { type Reader, StoreError, type Tx } from './store.ts';
import { ReadByName, type WorkingSet, type WrittenChange } from './working-set.ts';

/** The staged change for one id. */
interface Staged {
  /** Undefined for a removal. */
  readonly row: Row | undefined;
  readonly keys: Keys;
  /** The row of the base collection with this id, if any. */
  readonly below: Row | undefined;
}

/** Staged rows and removals on top of one collection, which does not change. */
class StagedCollection implements WritableCollection {
  readonly definition: CollectionDefinition;
  nextOrdinal: number;
  readonly #base: ReadableCollection;
  /** Staged changes by id. New rows are in the order of their ordinals. */
  readonly #staged = new Map<string, Staged>();
  /** The row count minus that of the base collection. */
  #more = 0;
  /** The staged rows with indexes, built for the first search. Most transactions never search a collection that they change. */
  #searchable: Collection | undefined;

  constructor(base: ReadableCollection) {
    this.definition = base.definition;
    this.nextOrdinal = base.nextOrdinal;
    this.#base = base;
  }

  get size(): number {
    return this.#base.size + this.#more;
  }

  row(id: string): Row | undefined {
    const staged = this.#staged.get(id);
    return staged === undefined ? this.#base.row(id) : staged.row;
  }

  *rows(): Generator<Row> {
    for (const row of this.#base.rows()) {
      const staged = this.#staged.get(row.id);
      if (staged === undefined) yield row;
      else if (staged.row?.ordinal === row.ordinal) yield staged.row;
    }
    for (const { row } of this.#staged.values()) {
      if (row !== undefined && row.ordinal >= this.#base.nextOrdinal) yield row;
    }
  }

  matching(index: string, key: string): Row[] {
    const below = this.#base.matching(index, key).filter(({ id }) => !this.#staged.has(id));
    const above = this.#withIndexes().matching(index, key);
    return above.length === 0 ? below : [...below, ...above].sort(byOrdinal);
  }

  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string> {
    const below = this.#base.places(order, edge, reverse);
    const sort = this.definition.orders.get(order);
    const isHidden = (place: string) => this.#staged.has(sort?.idOf?.(place) ?? place);
    return merged(below, this.#withIndexes().places(order, edge, reverse), isHidden, reverse);
  }

  put(row: Row, keys: Keys): void {
    const staged = this.#staged.get(row.id);
    const below = staged === undefined ? this.#base.row(row.id) : staged.below;
    const before = staged === undefined ? below : staged.row;
    if (before === undefined) this.#more += 1;
    if (before?.ordinal !== row.ordinal) this.#staged.delete(row.id);
    this.#staged.set(row.id, { row, keys, below });
    this.nextOrdinal = Math.max(this.nextOrdinal, row.ordinal + 1);
    this.#searchable?.put(row, keys);
  }

  remove(id: string): void {
    const staged = this.#staged.get(id);
    const below = staged === undefined ? this.#base.row(id) : staged.below;
    if ((staged === undefined ? below : staged.row) === undefined) return;
    this.#more -= 1;
    if (below === undefined) this.#staged.delete(id);
    else this.#staged.set(id, { row: undefined, keys: [], below });
    this.#searchable?.remove(id);
  }

  /**
   * Appends the changes to write to `changes`: one for each id, or two if a new row replaced a removed one. Returns the
   * number of bytes by which the store grows.
   */
  listIn(changes: WrittenChange[]): number {
    const collection = this.definition.name;
    let growth = 0;
    for (const [id, { row, below }] of this.#staged) {
      growth += (row?.bytes ?? 0) - (below?.bytes ?? 0);
      const isKept = below?.ordinal === row?.ordinal;
      if (below !== undefined && !isKept) changes.push({ collection, id, record: undefined, before: below.record });
      if (row !== undefined)
        changes.push({ collection, id, record: row.record, before: isKept ? below?.record : undefined });
    }
    return growth;
  }

  applyTo(target: WritableCollection): void {
    for (const [id, { row, keys }] of this.#staged) {
      if (row === undefined) target.remove(id);
      else target.put(row, keys);
    }
  }

  #withIndexes(): Collection {
    if (this.#searchable === undefined) {
      this.#searchable = new Collection(this.definition);
      this.applyTo(this.#searchable);
    }
    return this.#searchable;
  }
}

/** Merges two sorted lists, and skips the hidden keys of `below`. */
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

/** Staged changes on top of collections, which do not change. */
export class Overlay<Collections> extends ReadByName<Collections> {
  readonly #base: ReadByName<Collections>;
  readonly #staged = new Map<string, StagedCollection>();
  #isEnded = false;

  constructor(base: ReadByName<Collections>) {
    super();
    this.#base = base;
  }

  override collection(name: string): ReadableCollection {
    if (this.#isEnded) throw new Error('This transaction has ended: use `tx` only until `change` returns');
    return this.#staged.get(name) ?? this.#base.collection(name);
  }

  /** Returns the staging area for changes to a collection. */
  writable(name: string): WritableCollection {
    const existing = this.#staged.get(name);
    if (existing !== undefined) return existing;
    const staged = new StagedCollection(this.#base.collection(name));
    this.#staged.set(name, staged);
    return staged;
  }

  /** Applies the staged changes to other collections. */
  applyTo(target: { writable(name: string): WritableCollection }): void {
    for (const [name, staged] of this.#staged) staged.applyTo(target.writable(name));
  }

  /**
   * Lists the staged changes. `growth` is the number of bytes by which the store grows. An essential change is exempt
   * from byte limits.
   */
  list() {
    const changes: WrittenChange[] = [];
    let growth = 0;
    let isEssential = false;
    for (const staged of this.#staged.values()) {
      growth += staged.listIn(changes);
      isEssential ||= staged.definition.spec.essential === true;
    }
    return { changes, growth, isEssential };
  }

  /** Drops the staged changes. */
  discard(): void {
    this.#staged.clear();
  }

  /** Makes every later read or write throw, because the transaction has ended. */
  end(): void {
    this.#isEnded = true;
  }
}

/** The transaction passed to a `change` function. It sees its own changes, which are staged immediately. */
class Transaction<Collections> extends Overlay<Collections> implements Tx<Collections> {
  put<C extends keyof Collections>(collection: C, id: string, record: Collections[C]): void {
    const rows = this.collection(String(collection));
    const { definition } = rows;
    const row = definition.row(id, record, rows.row(id)?.ordinal ?? rows.nextOrdinal);
    this.writable(definition.name).put(row, definition.keysOf(row));
  }

  add<C extends keyof Collections>(collection: C, id: string, record: Collections[C]): void {
    if (this.get(collection, id) !== undefined) throw new Error(`${String(collection)} already has a record ${id}`);
    this.put(collection, id, record);
  }

  remove<C extends keyof Collections>(collection: C, id: string): void {
    const rows = this.collection(String(collection));
    if (rows.row(id) !== undefined) this.writable(rows.definition.name).remove(id);
  }
}

/** Maximum number of transactions in a group. It limits how long a group blocks the event loop, and the size of its log entry. */
const largestGroup = 500;

/** Content that is ready to replace everything in the store. */
export interface PreparedContent<Collections> {
  readonly working: WorkingSet<Collections>;
  readonly prepared: Prepared;
}

/** A caller's transaction in the queue, waiting for its group, and the callbacks that report its result. */
export interface QueuedTransaction<Collections> {
  readonly change: (tx: Tx<Collections>, before: Reader<Collections>) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The prepared content, if this transaction is the last step of a replacement. */
  readonly next?: PreparedContent<Collections>;
}

/** Returns the number of queued transactions in the next group. The last step of a replacement forms a separate group. */
export function groupSize(queue: readonly Pick<QueuedTransaction<unknown>, 'next'>[]): number {
  const most = Math.min(queue.length, largestGroup);
  for (let at = 0; at < most; at += 1) if (queue[at]?.next) return Math.max(1, at);
  return most;
}

/** Rejects every transaction of a group. */
export function rejectAll(requests: readonly Pick<Outcome, 'reject'>[], refusal: StoreError): void {
  for (const { reject } of requests) reject(refusal);
}

/** Converts the error of a failed write to the error that callers receive. */
export function asRefusal(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('refused', `Cannot write the change: ${String(error)}`, { cause: error });
}

/** The result of running a change, before it is written. */
export interface Outcome {
  /** The staged changes; empty if the change threw. */
  readonly staged: Pick<Overlay<unknown>, 'applyTo'>;
  /** The same changes, in the form that is written to the log. */
  readonly changes: readonly WrittenChange[];
  /** Number of bytes by which the store grows. */
  readonly growth: number;
  /** Resolves or rejects the caller's promise. */
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
  readonly threw: boolean;
}

/** The context in which a change runs. */
interface Run<Collections> {
  /** The collections on top of which the change runs. */
  readonly base: ReadByName<Collections>;
  readonly before: Reader<Collections>;
  readonly budget: ByteBudget;
  readonly warn: (message: string) => void;
}

/** Runs a change on top of `base`. A change that throws leaves nothing staged. */
export function runTransaction<Collections>(
  { change, resolve, reject }: QueuedTransaction<Collections>,
  { base, before, budget, warn }: Run<Collections>,
): Outcome {
  const tx = new Transaction(base);
  try {
    const value = change(tx, before);
    if (isThenable(value)) throw refusePromise(value, warn);
    const { changes, growth, isEssential } = tx.list();
    if (growth > 0 && !isEssential) budget.refuseBeyond(growth);
    budget.add(growth);
    return { staged: tx, changes, growth, settle: () => resolve(value), reject, threw: false };
  } catch (error) {
    tx.discard();
    return { staged: tx, changes: [], growth: 0, settle: () => reject(error), reject, threw: true };
  } finally {
    tx.end();
  }
}

function refusePromise(value: PromiseLike<unknown>, warn: (message: string) => void): TypeError {
  value.then(undefined, (error) => warn(`A rejected asynchronous change failed later: ${String(error)}`));
  return new TypeError('A change must be synchronous, but it returned a promise: await before `transact`');
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
