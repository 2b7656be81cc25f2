/** Which calls are taken while more come than can be served (OP-83). It knows numbers only; who counts is `gate.ts`. */

/** What a server takes on at once. */
export interface Capacity {
  /** Calls in service, of all shares together. */
  readonly places: number;
  /** Calls whose bodies are still coming. */
  readonly arriving: number;
  /** How late the event loop may be, in milliseconds, before more is refused than the places say. */
  readonly lag: number;
  /** Refusals in a second that are told at once. */
  readonly refusals: number;
  /**
   * So many calls are taken however late the loop is: something else held it up then, and it catches up without them.
   */
  readonly always: number;
}

/**
 * Measured on two cores: an order takes 4 ms of processor time in many small pieces, so that a turn of the event loop
 * takes less than 100 ms with so many in service, and the last of them waits for about a second. A refusal takes 0.1
 * ms.
 */
export const usualCapacity: Capacity = { places: 512, arriving: 1_000, lag: 150, refusals: 2_000, always: 32 };

/** Counts the calls in service, by whose share of the places they are taken from. */
export class Admission {
  readonly #capacity: Capacity;
  readonly #lag: () => number;
  readonly #byShare = new Map<string, number>();
  #inService = 0;

  /** @param lag how late the event loop was lately, in milliseconds */
  constructor(capacity: Capacity, lag: () => number) {
    this.#capacity = capacity;
    this.#lag = lag;
  }

  /** Calls that have a place. */
  get inService(): number {
    return this.#inService;
  }

  /**
   * Whether a call can have a place now. A share has as many as are free at the most, so one alone has half of them,
   * two have a third each, and whoever comes next always finds some.
   */
  isFree(share: string): boolean {
    const { places, lag, always } = this.#capacity;
    const own = this.#byShare.get(share) ?? 0;
    if (own >= places - this.#inService) return false;
    return this.#inService < always || this.#lag() <= lag;
  }

  /** Takes a place. Who was admitted before takes one whether one is free or not. */
  take(share: string): void {
    this.#inService += 1;
    this.#byShare.set(share, (this.#byShare.get(share) ?? 0) + 1);
  }

  /** Gives a place back. */
  give(share: string): void {
    this.#inService -= 1;
    const left = (this.#byShare.get(share) ?? 0) - 1;
    if (left > 0) this.#byShare.set(share, left);
    else this.#byShare.delete(share);
  }
}
