import { ByteBudget } from '../store/byte-budget.ts';
import type { CountedBytes } from '../store/store.ts';
import type { ActivityEntry } from './activity-entry.ts';
import type { Fitted } from './entry-size.ts';

/** Most evicted entries that are still in memory. */
const mostEvicted = 100;

/** The newest entries of the activity log, in memory, in the order of their numbers: bounded in number and in bytes (OP-57). */
export class ActivityRing {
  readonly #most: { readonly entries: number; readonly bytes: number };
  /** Oldest first; entries before `#start` are evicted. Shifting the array at each eviction would cost more than the call itself. */
  #entries: Fitted[] = [];
  #start = 0;
  #bytes = 0;
  readonly #memory: CountedBytes;
  #last = 0;

  /** @param memory counts the bytes of the entries */
  constructor(most: { readonly entries: number; readonly bytes: number }, memory: CountedBytes = new ByteBudget()) {
    this.#most = most;
    this.#memory = memory;
  }

  /** The number of the newest entry; 0 where there never was one. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest entry that is left, or the next one to come. */
  get oldest(): number {
    return this.#entries[this.#start]?.entry.seq ?? this.#last + 1;
  }

  /** Replaces all entries by these, oldest first. Returns those beyond the limits. */
  reset(entries: readonly Fitted[], last: number): readonly ActivityEntry[] {
    this.#entries = [...entries];
    this.#start = 0;
    this.#count(entries.reduce((sum, { bytes }) => sum + bytes, -this.#bytes));
    this.#last = Math.max(last, entries.at(-1)?.entry.seq ?? 0);
    return this.#evict();
  }

  /** Adds the newest entry. Returns the entries that it evicts. */
  add(fitted: Fitted): readonly ActivityEntry[] {
    this.#entries.push(fitted);
    this.#bytes += fitted.bytes;
    this.#memory.add(fitted.bytes);
    this.#last = fitted.entry.seq;
    const { entries, bytes } = this.#most;
    return this.#entries.length - this.#start <= entries && this.#bytes <= bytes ? [] : this.#evict();
  }

  /** The entries with a higher number, oldest first. */
  after(seq: number, limit = Number.POSITIVE_INFINITY): readonly ActivityEntry[] {
    let [from, to] = [this.#start, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#entries[middle]?.entry.seq ?? 0) > seq) to = middle;
      else from = middle + 1;
    }
    return this.#entries.slice(from, from + limit).map(({ entry }) => entry);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.add(bytes);
  }

  #evict(): readonly ActivityEntry[] {
    const { entries, bytes } = this.#most;
    const evicted: ActivityEntry[] = [];
    for (; this.#start < this.#entries.length; this.#start += 1) {
      if (this.#entries.length - this.#start <= entries && this.#bytes <= bytes) break;
      const { entry, bytes: weight } = this.#entries[this.#start] as Fitted;
      this.#count(-weight);
      evicted.push(entry);
    }
    if (this.#start > mostEvicted) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
    return evicted;
  }
}
