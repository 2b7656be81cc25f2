import { type FullScope, StoreFullError } from './store.ts';

/** The fraction by which a store may exceed its limit when it is opened. Essential changes can grow it beyond the limit. */
const openingShare = 1 / 8;

/**
 * A counter of bytes in memory that refuses growth beyond a limit. A budget can have a parent, which also counts its
 * bytes. The parent of a store's budget is its tenant's budget, whose parent is the process budget.
 */
export class ByteBudget {
  readonly maxBytes: number;
  readonly #scope: FullScope;
  #within: ByteBudget | undefined;
  #used = 0;
  #isFull = false;

  constructor(maxBytes = Number.POSITIVE_INFINITY, scope: FullScope = 'store', within?: ByteBudget) {
    this.maxBytes = maxBytes;
    this.#scope = scope;
    this.#within = within;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether this budget or a parent refused growth, and no bytes have been freed there since. */
  get isFull(): boolean {
    return this.#isFull || this.#within?.isFull === true;
  }

  /** Returns an empty budget with the same limit and the same parent. */
  successor(): ByteBudget {
    return new ByteBudget(this.maxBytes, this.#scope, this.#within);
  }

  /** Moves this budget to another parent, even if that exceeds the parent's limit. */
  moveTo(within: ByteBudget): void {
    this.#within?.add(-this.#used);
    within.add(this.#used);
    this.#within = within;
  }

  /** Throws `StoreFullError` if this growth exceeds the limit of this budget or of a parent. */
  refuseBeyond(growth: number, maxBytes = this.maxBytes): void {
    for (let budget: ByteBudget | undefined = this; budget !== undefined; budget = budget.#within) {
      if (budget.#used + growth <= (budget === this ? maxBytes : budget.maxBytes)) continue;
      budget.#isFull = true;
      throw new StoreFullError(budget.maxBytes, budget.#scope);
    }
  }

  /** Counts the bytes of loaded content, which may exceed the limit slightly. Counts nothing if `refuseBeyond` throws. */
  fill(growth: number): void {
    if (growth > 0) this.refuseBeyond(growth, this.maxBytes * (1 + openingShare));
    this.add(growth);
  }

  /** Counts bytes that were added to memory or, if negative, freed. Ignores the limit. */
  add(growth: number): void {
    for (let budget: ByteBudget | undefined = this; budget !== undefined; budget = budget.#within) {
      budget.#used += growth;
      if (growth < 0) budget.#isFull = false;
    }
  }

  /** Detaches this budget from its parent, which stops counting its current and future bytes. */
  release(): void {
    this.#within?.add(-this.#used);
    this.#within = undefined;
  }
}
