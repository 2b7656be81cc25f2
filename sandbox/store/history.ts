import { Bits } from './bits.ts';
import { BlockCache } from './block-cache.ts';
import type { LayeredCollection } from './layered.ts';
import { damaged } from './lines.ts';
import { HeldPart } from './past-rows.ts';
import type { HashSeed } from './row-hash.ts';
import type { Segment, SegmentNote, SegmentPart } from './segment.ts';
import { ordersOf } from './sort-order.ts';
import type { CollectionSpec } from './store.ts';

/** A segment that counts, by collection with what of it does not any more. */
export interface HeldSegment {
  readonly segment: Segment;
  readonly parts: ReadonlyMap<string, HeldPart>;
}

/** A segment as it is now, while it changes. */
export function copyOf({ segment, parts }: HeldSegment): HeldSegment {
  return { segment, parts: new Map([...parts].map(([name, held]) => [name, held.copy()])) };
}

/** What the document says of it. */
export function noteOf({ segment: { number, size }, parts }: HeldSegment): SegmentNote {
  const hidden = [...parts].filter(([, held]) => held.hidden.count > 0);
  return {
    ...{ number, size },
    hidden: Object.fromEntries(hidden.map(([name, held]) => [name, Buffer.from(held.hidden.bytes).toString('base64')])),
  };
}

/** What `noteOf` was given, from the segment that was opened. */
export function heldBy(segment: Segment, hidden: SegmentNote['hidden']): HeldSegment {
  const heldOf = (name: string, part: SegmentPart): HeldPart => {
    const bytes = Object.hasOwn(hidden, name) ? Buffer.from(hidden[name] ?? '', 'base64') : undefined;
    if (bytes && bytes.length !== Math.ceil(part.rows / 8))
      throw damaged(segment.path, `it is not the one that counts`);
    return new HeldPart(part, new Bits(part.rows, bytes));
  };
  return { segment, parts: new Map([...segment.parts].map(([name, part]) => [name, heldOf(name, part)])) };
}

/** How many of its rows still count. */
export function sizeOf({ parts }: HeldSegment): number {
  return [...parts.values()].reduce((sum, { size }) => sum + size, 0);
}

/** The segments of a store. */
export class History {
  readonly cache = new BlockCache();
  #held: readonly HeldSegment[] = [];
  /** Greater than that of any segment which is there. */
  #next = 1;

  get held(): readonly HeldSegment[] {
    return this.#held;
  }

  /** What hashes of the newest segment depend on. Where all share one, a key is hashed once. */
  get seed(): HashSeed | undefined {
    return this.#held.findLast(({ segment }) => segment.seed !== undefined)?.segment.seed;
  }

  /** A number that no segment has. */
  nextNumber(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  /** Does not use a number again that is in a name, also of a file that counts for nothing. */
  reserve(number: number): void {
    this.#next = Math.max(this.#next, number + 1);
  }

  /** Numbers come after those of another one, whose files may still be there. */
  follow(earlier: History): void {
    this.reserve(earlier.#next);
  }

  /** Puts segments in place of others. Who holds them otherwise goes on reading those. */
  async change(
    added: readonly HeldSegment[],
    gone: readonly Segment[],
    collections: Iterable<LayeredCollection>,
  ): Promise<void> {
    this.#held = [...this.#held.filter(({ segment }) => !gone.includes(segment)), ...added];
    for (const { segment } of added) this.reserve(segment.number);
    for (const { name, spec, past } of collections) {
      past.parts = this.#held.flatMap(({ parts }) => {
        const held = parts.get(name);
        return held !== undefined && isFindable(held.part, spec) ? [held] : [];
      });
    }
    for (const segment of gone) await segment.release();
  }

  async close(): Promise<void> {
    for (const { segment } of this.#held) await segment.release();
  }
}

/** Whether a part can be read as a collection is to be: an earlier version may have kept it in another way. */
export function isFindable({ index }: SegmentPart, spec: CollectionSpec<unknown>): boolean {
  const { indexes = {}, until, history } = spec;
  const hasIndexes = Object.keys(indexes).every((name) => index.indexes.has(name));
  const hasOrders = ordersOf(spec).every(({ name }) => index.orders.has(name));
  return history !== undefined && hasIndexes && hasOrders && index.hasEnds === !!until;
}
