import { type CollectionSpec, StoreFullError } from './store.ts';

/**
 * Deeper than any record of the sandbox, and far from the depth at which JSON.stringify runs out of stack (about
 * 5,000).
 */
const DEEPEST = 100;

/**
 * Freezes `record` all the way down and returns it. Throws a TypeError for what would not come back from disk as it is
 * in memory: undefined, functions, dates and other objects with a class, numbers without a JSON form, cycles.
 */
export function freezeRecord<R>(record: R, where: string, depth = 0): R {
  const value: unknown = record;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return record;
  if (typeof value === 'number' && Number.isFinite(value)) return record;
  if (typeof value !== 'object') throw new TypeError(`${where} is ${describe(value)}, which JSON cannot represent`);
  if (depth > DEEPEST) throw new TypeError(`${where} is nested more than ${DEEPEST} levels deep`);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) freezeRecord(value[at], `${where}[${at}]`, depth + 1);
  } else {
    // By the length of the prototype chain, so that a plain object of another realm is plain too.
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new TypeError(`${where} is an instance of a class, which JSON cannot represent`);
    }
    // Nothing else is enumerable: it is plain.
    for (const name in value) {
      const part = (value as Record<string, unknown>)[name];
      // Most fields are text, numbers or null, for which no name has to be put together.
      if (typeof part === 'string' || part === null || Number.isFinite(part)) continue;
      freezeRecord(part, `${where}.${name}`, depth + 1);
    }
  }
  return Object.freeze(record);
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value;
}

/** How much more than its limit a store may hold when it is opened: essential changes are made beyond the limit. */
const openingShare = 1 / 8;

/**
 * How many bytes a store grows by where a record takes the place of another; undefined is none. A row counts its id and
 * its record as JSON. Bounded collections count nothing.
 */
export function growthOf({ bounded }: CollectionSpec<never>, id: string, before: unknown, record: unknown): number {
  let bytes = 0;
  if (bounded) return bytes;
  if (record !== undefined) bytes += id.length + Buffer.byteLength(JSON.stringify(record));
  if (before !== undefined) bytes -= id.length + Buffer.byteLength(JSON.stringify(before));
  return bytes;
}

/** The most bytes that a store with this limit can be opened with. */
export function mostAtOpening(maxBytes: number): number {
  return maxBytes * (1 + openingShare);
}

/** Counts the bytes of a store, and refuses to let it grow beyond a limit. */
export class ByteBudget {
  readonly #maxBytes: number;
  #used: number;
  #isFull = false;

  private constructor(maxBytes: number, used: number) {
    this.#maxBytes = maxBytes;
    this.#used = used;
  }

  /** The budget of a store that begins with what it was filled with. */
  static of({ maxBytes, bytes }: { readonly maxBytes: number; readonly bytes: number }): ByteBudget {
    return new ByteBudget(maxBytes, bytes);
  }

  /** Whether growth was refused and nothing has been freed since. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Charges a transaction with what it adds. Throws `StoreFullError`, and charges nothing, where that is too much. */
  charge(growth: number, isEssential: boolean): void {
    if (growth > 0 && !isEssential && this.#used + growth > this.#maxBytes) {
      this.#isFull = true;
      throw new StoreFullError(this.#maxBytes);
    }
    this.#add(growth);
  }

  /** Takes back what transactions were charged that did not happen. */
  refund(growth: number): void {
    this.#add(-growth);
  }

  #add(growth: number): void {
    this.#used += growth;
    if (growth < 0) this.#isFull = false;
  }
}
