import type { ActivityEntry } from './activity-entry.ts';
import type { Fitted } from './entry-size.ts';

/** Most entries that are gone and still in memory. */
const mostGone = 100;

/** The newest entries of the activity log, in memory, in the order of their numbers: bounded in number and in bytes (OP-57). */
export class ActivityRing {
  readonly #most: { readonly entries: number; readonly bytes: number };
  /** Oldest first; those before `#start` are gone. Moving all of them for each that goes would cost more than the call itself. */
  #held: Fitted[] = [];
  #start = 0;
  #bytes = 0;
  #last = 0;

  constructor(most: { readonly entries: number; readonly bytes: number }) {
    this.#most = most;
  }

  /** The number of the newest entry; 0 where there never was one. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest entry that is left, or the next one to come. */
  get oldest(): number {
    return this.#held[this.#start]?.entry.seq ?? this.#last + 1;
  }

  /** Holds these entries, oldest first, instead of all others. Returns those for which there is no room. */
  reset(entries: readonly Fitted[], last: number): readonly ActivityEntry[] {
    this.#held = [...entries];
    this.#start = 0;
    this.#bytes = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#last = Math.max(last, entries.at(-1)?.entry.seq ?? 0);
    return this.#makeRoom();
  }

  /** Adds the newest entry. Returns the oldest, which made room. */
  add(fitted: Fitted): readonly ActivityEntry[] {
    this.#held.push(fitted);
    this.#bytes += fitted.bytes;
    this.#last = fitted.entry.seq;
    return this.#makeRoom();
  }

  /** The entries with a higher number, oldest first. */
  after(seq: number, limit = Number.POSITIVE_INFINITY): readonly ActivityEntry[] {
    let [from, to] = [this.#start, this.#held.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#held[middle]?.entry.seq ?? 0) > seq) to = middle;
      else from = middle + 1;
    }
    return this.#held.slice(from, from + limit).map(({ entry }) => entry);
  }

  #makeRoom(): readonly ActivityEntry[] {
    const { entries, bytes } = this.#most;
    const gone: ActivityEntry[] = [];
    for (; this.#start < this.#held.length; this.#start += 1) {
      if (this.#held.length - this.#start <= entries && this.#bytes <= bytes) break;
      const { entry, bytes: weight } = this.#held[this.#start] as Fitted;
      this.#bytes -= weight;
      gone.push(entry);
    }
    if (this.#start > mostGone) {
      this.#held = this.#held.slice(this.#start);
      this.#start = 0;
    }
    return gone;
  }
}
