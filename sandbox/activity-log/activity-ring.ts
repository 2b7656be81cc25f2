import type { ActivityEntry } from './activity-entry.ts';
import type { Fitted } from './entry-size.ts';

/** The newest entries of the activity log, in memory, in the order of their numbers: bounded in number and in bytes (OP-57). */
export class ActivityRing {
  readonly #most: { readonly entries: number; readonly bytes: number };
  /** Oldest first. */
  #held: Fitted[] = [];
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
    return this.#held[0]?.entry.seq ?? this.#last + 1;
  }

  /** Holds these entries, oldest first, instead of all others. Returns those for which there is no room. */
  reset(entries: readonly Fitted[], last: number): readonly ActivityEntry[] {
    this.#held = [...entries];
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
    let [from, to] = [0, this.#held.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#held[middle]?.entry.seq ?? 0) > seq) to = middle;
      else from = middle + 1;
    }
    return this.#held.slice(from, from + limit).map(({ entry }) => entry);
  }

  #makeRoom(): readonly ActivityEntry[] {
    const { entries, bytes } = this.#most;
    let surplus = 0;
    for (; surplus < this.#held.length; surplus += 1) {
      if (this.#held.length - surplus <= entries && this.#bytes <= bytes) break;
      this.#bytes -= this.#held[surplus]?.bytes ?? 0;
    }
    return surplus === 0 ? [] : this.#held.splice(0, surplus).map(({ entry }) => entry);
  }
}
