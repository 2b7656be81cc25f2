import { type CollectionSpec, StoreFullError } from './store.ts';

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
