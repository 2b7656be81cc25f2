import type { StoreError } from '../../store/store.ts';

/** A batch of the log as it was sent. */
export interface SentBatch {
  readonly number: number;
  readonly body: Buffer;
  /** When it was written, on the instance's clock. */
  readonly at: number;
}

/** Which batches of the log PostgreSQL has confirmed, and who waits for that. */
export class SentBatches {
  /** The last batch that was confirmed. */
  confirmed: number;
  /** Batches that were sent and not confirmed. */
  readonly pending: SentBatch[] = [];
  /** Why no more can be confirmed. */
  lost: StoreError | undefined;
  #waiting: (() => void)[] = [];

  constructor(confirmed: number) {
    this.confirmed = confirmed;
  }

  /** Resolves when a batch is confirmed. */
  async confirmation(until: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (this.lost !== undefined || this.confirmed >= until) resolve();
      else this.#waiting.push(look);
    };
    look();
    await promise;
    if (this.lost !== undefined && this.confirmed < until) throw this.lost;
  }

  confirm(number: number): void {
    this.confirmed = Math.max(this.confirmed, number);
    while ((this.pending[0]?.number ?? Number.POSITIVE_INFINITY) <= this.confirmed) this.pending.shift();
    this.announce();
  }

  /** Has everyone who waits look again. */
  announce(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }
}
