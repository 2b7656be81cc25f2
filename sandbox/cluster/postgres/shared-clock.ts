/** By how many milliseconds the machine's clock may differ from PostgreSQL's before the operator is warned. */
const mostSkew = 1000;

export interface SharedClockParts {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly machineTime: () => number;
  readonly warn: (message: string) => void;
}

/**
 * PostgreSQL's clock, which is the same for all instances whatever their machines' clocks say (OP-236). Between two measurements it
 * follows a monotonic clock. It never goes back: if PostgreSQL's clock was set back, it runs at half speed until
 * that has caught up.
 */
export class SharedClock {
  readonly #parts: SharedClockParts;
  /** The offset to the monotonic clock; from the machine's clock until the first measurement. */
  #offset: number;
  /** The last time that was read, and when, on the monotonic clock. */
  #last = Number.NEGATIVE_INFINITY;
  #readAt = 0;
  #isSkewed = false;

  constructor(parts: SharedClockParts) {
    this.#parts = parts;
    this.#offset = parts.machineTime() - parts.now();
  }

  /**
   * Takes over the time that PostgreSQL gave at some instant between `sent` and `received`. The offset changes no more than
   * that proves, so that time does not jump with the delay of each answer.
   */
  measure(time: number, sent: number, received: number): void {
    this.#offset = Math.min(Math.max(this.#offset, time - received), time - sent);
    this.#warnOfSkew();
  }

  /** Milliseconds since 1970. */
  time(): number {
    const now = this.#parts.now();
    this.#last = Math.max(now + this.#offset, this.#last + (now - this.#readAt) / 2);
    this.#readAt = now;
    return Math.floor(this.#last);
  }

  /** How many milliseconds the machine's clock is ahead of PostgreSQL's. */
  skew(): number {
    return this.#parts.machineTime() - this.#parts.now() - this.#offset;
  }

  #warnOfSkew(): void {
    const skew = this.skew();
    const wasSkewed = this.#isSkewed;
    this.#isSkewed = Math.abs(skew) > mostSkew;
    if (!this.#isSkewed || wasSkewed) return;
    const how = `${(Math.abs(skew) / 1000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'}`;
    this.#parts.warn(
      `This machine's clock is ${how} PostgreSQL's, which sandbox time follows. Synchronise both, for example with NTP.`,
    );
  }
}
