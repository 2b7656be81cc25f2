import { type FullScope, StoreFullError } from './store.ts';

/** How much more than its limit a store may hold when it is opened: essential changes are made beyond the limit. */
const openingShare = 1 / 8;

/**
 * Counts bytes that are in memory, and refuses growth beyond a limit. A budget can be part of another one, which then
 * counts its bytes too: a store is part of its tenant, a tenant of the process.
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

  /** Whether growth was refused, here or further out, and nothing has been freed there since. */
  get isFull(): boolean {
    return this.#isFull || this.#within?.isFull === true;
  }

  /** An empty budget with the same limit, within the same one. */
  successor(): ByteBudget {
    return new ByteBudget(this.maxBytes, this.#scope, this.#within);
  }

  /** Makes it a part of another budget, whether or not there is room. */
  moveTo(within: ByteBudget): void {
    this.#within?.add(-this.#used);
    within.add(this.#used);
    this.#within = within;
  }

  /** Throws `StoreFullError` if this growth exceeds a limit, here or further out. */
  refuseBeyond(growth: number, maxBytes = this.maxBytes): void {
    for (let budget: ByteBudget | undefined = this; budget !== undefined; budget = budget.#within) {
      if (budget.#used + growth <= (budget === this ? maxBytes : budget.maxBytes)) continue;
      budget.#isFull = true;
      throw new StoreFullError(budget.maxBytes, budget.#scope);
    }
  }

  /** Counts what a store is filled with, which may be a little more than its limit. Counts nothing if `refuseBeyond` throws. */
  fill(growth: number): void {
    if (growth > 0) this.refuseBeyond(growth, this.maxBytes * (1 + openingShare));
    this.add(growth);
  }

  /** Counts bytes that are in memory, or gone, whatever the limit. */
  add(growth: number): void {
    for (let budget: ByteBudget | undefined = this; budget !== undefined; budget = budget.#within) {
      budget.#used += growth;
      if (growth < 0) budget.#isFull = false;
    }
  }

  /** Uncounts everything, also what is added from now on. */
  release(): void {
    this.#within?.add(-this.#used);
    this.#within = undefined;
  }
}
