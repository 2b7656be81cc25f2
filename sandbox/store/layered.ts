import { Collection, type ReadableCollection } from './collection.ts';
import { inOrder } from './merged.ts';
import { type HeldPart, mergedKeys, PastRows } from './past-rows.ts';
import type { Row } from './row.ts';
import type { CollectionSpec } from './store.ts';
import type { RowsReading, RowsView, Viewed } from './view.ts';

/**
 * A collection of which a part is in memory and the rest, what is history, in segments. A row is in one of the two; put
 * again, it comes back to memory.
 */
export class LayeredCollection implements ReadableCollection, Viewed {
  readonly name: string;
  readonly spec: CollectionSpec<unknown>;
  readonly memory: Collection;
  readonly past: PastRows;

  constructor(name: string, spec: CollectionSpec<unknown>) {
    this.name = name;
    this.spec = spec;
    this.memory = new Collection(name, spec, true);
    this.past = new PastRows(spec);
  }

  get size(): number {
    return this.memory.size + this.past.size;
  }

  get nextOrdinal(): number {
    return Math.max(this.memory.nextOrdinal, this.past.last + 1);
  }

  row(id: string): Row | undefined {
    return this.memory.row(id) ?? this.past.find(id)?.row;
  }

  rows(): Iterable<Row> {
    return inOrder([this.past.rows(), this.memory.rows()]);
  }

  matching(index: string, key: string): Row[] {
    const found = this.memory.matching(index, key);
    const past = this.past.matching(index, key);
    return past.length === 0 ? found : [...past, ...found].sort((one, other) => one.ordinal - other.ordinal);
  }

  places(order: string, edge: string | undefined, reverse: boolean): Iterable<string> {
    return mergedKeys([this.memory.places(order, edge, reverse), ...this.past.places(order, edge, reverse)], reverse);
  }

  ends(): Iterable<string> {
    return mergedKeys([this.memory.ends(), ...this.past.ends()], false);
  }

  put(id: string, record: unknown, ordinal?: number): void {
    const known = this.memory.row(id);
    const past = known === undefined ? this.past.find(id) : undefined;
    this.memory.putOver(known, id, record, known?.ordinal ?? past?.row.ordinal ?? ordinal ?? this.nextOrdinal);
    past?.held.hide(past.number);
  }

  remove(id: string): void {
    const known = this.memory.row(id);
    if (known !== undefined) return this.memory.take(known);
    const past = this.past.find(id);
    past?.held.hide(past.number);
  }

  /**
   * Has the row of this id in memory until a fold that begins later: what is done to it then reads nothing. A fold under way
   * (`isMoving`) lets go of the row that it has seen, which is another one from now on.
   */
  hold(id: string, isMoving: boolean): void {
    const known = this.memory.row(id);
    if (known !== undefined && !isMoving) return;
    const row = known ?? this.past.find(id)?.row;
    if (row !== undefined) this.put(id, row.record);
  }

  /** Puts a record where the row that it takes the place of, if there is one, is held. */
  putHeld(id: string, record: unknown): void {
    const known = this.memory.row(id);
    this.memory.putOver(known, id, record, known?.ordinal ?? this.nextOrdinal);
  }

  /** Removes a row that is held. */
  removeHeld(id: string): void {
    this.memory.remove(id);
  }

  /** Lets a row go that a part has from now on, unless it was changed since that was written. */
  leave(row: Row, held: HeldPart, number: number): void {
    if (this.memory.row(row.id) !== row) return;
    this.memory.take(row);
    held.show(number);
  }

  open(): RowsReading {
    const memory = this.memory.open();
    // Held open, also where a merge takes the place of a segment meanwhile.
    const { parts } = this.past;
    for (const { part } of parts) part.segment.hold();
    const rows = inOrder([readable(memory), this.past.copy().rows()]);
    let isOpen = true;
    const close = async () => {
      memory.close();
      const held = isOpen ? parts : [];
      isOpen = false;
      for (const { part } of held) await part.segment.release();
    };
    return { next: () => rows.next().value ?? undefined, close };
  }
}

function* readable(view: RowsView): Generator<Row> {
  for (let row = view.next(); row !== undefined; row = view.next()) yield row;
}
