import { growthOf } from './byte-budget.ts';
import type { ReadableCollection } from './collection.ts';
import { freezeRecord } from './record.ts';
import { Staged, type Undo } from './staged.ts';
import type { Tx } from './store.ts';
import { ReadByName, type WrittenChange } from './working-set.ts';

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
