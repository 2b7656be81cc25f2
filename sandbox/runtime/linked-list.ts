/** A place in a list, and its neighbours there. */
export interface Link<T> {
  readonly value: T;
  before: Link<T> | undefined;
  after: Link<T> | undefined;
}

/**
 * What came, in order, of which anything can leave at any time. In place of a `Map` for what comes and leaves with every
 * call: a map makes itself a new table again and again, and each table knows the next one. Once the collector holds one
 * of them to be old, it keeps all that come after it, with the calls that were in them, until it looks through
 * everything: that was a tenth of the processor time of a listing.
 */
export class LinkedList<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Puts a value behind all others. Returns what takes it out again. */
  add(value: T): Link<T> {
    const link: Link<T> = { value, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
    this.#size += 1;
    return link;
  }

  /** Takes out a value that is in the list. It knows nothing of the others any more, as above. */
  remove(link: Link<T>): void {
    const { before, after } = link;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    link.before = undefined;
    link.after = undefined;
    this.#size -= 1;
  }

  /** The values, oldest first, as they are now. */
  values(): T[] {
    const values: T[] = [];
    for (let link = this.#first; link !== undefined; link = link.after) values.push(link.value);
    return values;
  }
}
