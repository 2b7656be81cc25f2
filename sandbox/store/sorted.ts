/** Keys in order, compared by UTF-16 code units as `sort()` does. Taking away the first one after the other costs little. */
export class SortedKeys {
  #keys: string[];
  /** Where the first key is: what was taken away before it is cut off now and then. */
  #first = 0;

  constructor(keys: Iterable<string>) {
    this.#keys = [...keys].sort();
  }

  add(key: string): void {
    const last = this.#keys.at(-1);
    if (last === undefined || last < key) this.#keys.push(key);
    else this.#keys.splice(this.#find(key), 0, key);
  }

  /** Takes away a key that is there. */
  remove(key: string): void {
    const at = this.#find(key);
    if (at > this.#first) {
      this.#keys.splice(at, 1);
      return;
    }
    this.#first += 1;
    if (this.#first < this.#keys.length / 2) return;
    this.#keys = this.#keys.slice(this.#first);
    this.#first = 0;
  }

  /** The keys strictly after `after` in order, or strictly before it in descending order. */
  *from(after: string | undefined, reverse: boolean): Generator<string> {
    const edge = after === undefined ? (reverse ? this.#keys.length : this.#first) : this.#find(after);
    const skip = !reverse && after !== undefined && this.#keys[edge] === after ? 1 : 0;
    const step = reverse ? -1 : 1;
    for (let at = reverse ? edge - 1 : edge + skip; at >= this.#first; at += step) {
      const key = this.#keys[at];
      if (key === undefined) return;
      yield key;
    }
  }

  /** Where `key` is, or would be. */
  #find(key: string): number {
    let low = this.#first;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.#keys[middle];
      if (there !== undefined && there < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
