/** What the queue needs to know of a piece of work. */
interface Timed {
  readonly id: string;
  readonly at: number;
  readonly kind: string;
}

interface Entry<W> {
  readonly work: W;
  /** Where it is in the heap of its kind; -1 while it may not be taken. */
  place: number;
}

/**
 * Work in time order, and by id where instants are the same: a heap for each kind of what may be taken, with the pieces
 * looked up by id. What is set aside is in no heap, so neither the first piece nor a change costs more the more wait.
 */
export class WorkQueue<W extends Timed> {
  readonly #byId = new Map<string, Entry<W>>();
  readonly #byKind = new Map<string, Heap<W>>();
  readonly #free: (id: string) => boolean;

  /** @param free whether a piece may be taken; `look` is to be called when that has changed */
  constructor(free: (id: string) => boolean) {
    this.#free = free;
  }

  set(work: W): void {
    this.delete(work.id);
    this.#byId.set(work.id, { work, place: -1 });
    this.look(work.id);
  }

  delete(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#byId.delete(id);
    this.#setAside(entry);
  }

  /** Looks again whether a piece may be taken. */
  look(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    if (!this.#free(id)) this.#setAside(entry);
    else if (entry.place < 0) this.#heapOf(entry).add(entry);
  }

  /** The first piece that may be taken, of what has come by an instant and of the kinds that are wanted. */
  first(until: number, wanted: (kind: string) => boolean): W | undefined {
    let first: W | undefined;
    for (const [kind, heap] of this.#byKind) {
      const found = heap.first?.work;
      if (found === undefined || found.at > until || !wanted(kind)) continue;
      if (first === undefined || before(found, first)) first = found;
    }
    return first;
  }

  #setAside(entry: Entry<W>): void {
    if (entry.place >= 0) this.#heapOf(entry).remove(entry);
  }

  #heapOf({ work: { kind } }: Entry<W>): Heap<W> {
    const heap = this.#byKind.get(kind) ?? new Heap<W>();
    this.#byKind.set(kind, heap);
    return heap;
  }
}

/** A binary heap whose entries know their places, so that any of them can be taken out. */
class Heap<W extends Timed> {
  readonly #entries: Entry<W>[] = [];

  get first(): Entry<W> | undefined {
    return this.#entries[0];
  }

  add(entry: Entry<W>): void {
    this.#up(entry, this.#entries.length);
  }

  /** Takes out an entry that is in it. */
  remove(entry: Entry<W>): void {
    const { place } = entry;
    const last = this.#entries.pop();
    entry.place = -1;
    if (last === undefined || last === entry) return;
    this.#down(last, place);
    if (last.place === place) this.#up(last, place);
  }

  /** Puts an entry at a place, or above, where what is above it comes later. */
  #up(entry: Entry<W>, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = this.#entries[(place - 1) >>> 1];
      if (parent === undefined || !before(entry.work, parent.work)) break;
      this.#put(parent, place);
      place = (place - 1) >>> 1;
    }
    this.#put(entry, place);
  }

  /** Puts an entry at a place, or below, where what is below it comes earlier. */
  #down(entry: Entry<W>, from: number): void {
    let place = from;
    for (;;) {
      const child = this.#earlierChild(place);
      if (child === undefined || !before(child.work, entry.work)) break;
      const next = child.place;
      this.#put(child, place);
      place = next;
    }
    this.#put(entry, place);
  }

  #earlierChild(place: number): Entry<W> | undefined {
    const left = this.#entries[2 * place + 1];
    const right = this.#entries[2 * place + 2];
    return left !== undefined && right !== undefined && before(right.work, left.work) ? right : left;
  }

  #put(entry: Entry<W>, place: number): void {
    this.#entries[place] = entry;
    entry.place = place;
  }
}

function before(one: Timed, other: Timed): boolean {
  return one.at < other.at || (one.at === other.at && one.id < other.id);
}
