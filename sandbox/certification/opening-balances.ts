/** The server's balances over a run. The run restores every balance that it changes. */
import { isSuccess } from './assertions.ts';
import type { Partner } from './partner.ts';
import type { ProbeContext } from './probe-context.ts';
import { Blocked } from './verdict.ts';

/** Calls that restoring the balances takes at most, beside one for each redemption that is pending. */
export const mostToRestore = 4;

/** Balances at the beginning, and the redemptions that may be pending. */
export class OpeningBalances {
  readonly #opening = new Map<string, number>();
  /** Codes of redemptions that probes began. */
  readonly open = new Set<string>();
  /** Points of the order lines of version 2.0 that probes began, by their codes. */
  readonly lines = new Map<string, number>();

  /** Notes what a customer has. */
  opens(uid: string, balance: number): void {
    this.#opening.set(uid, balance);
  }

  /**
   * Gives back what is pending, then credits what is missing and takes what is too much. Whatever the server does, it
   * ends; `state` tells afterwards whether it came out even.
   */
  async restore(probing: ProbeContext, partner: Partner): Promise<void> {
    const v2 = probing.input.api === 'v2';
    partner.left += this.open.size + this.lines.size + mostToRestore * this.#opening.size;
    for (const code of this.open) {
      if (!v2) await probing.operations.update(probing.status(code, 'Rejected'));
      this.open.delete(code);
    }
    for (const [redeem_code, points] of this.lines) {
      await probing.operations.reverse({ redeem_code, points, reason: 'The certification restores the balance' });
      this.lines.delete(redeem_code);
    }
    for (const [uid, opening] of this.#opening) {
      const missing = opening - (await probing.balance(uid));
      if (missing > 0 && !v2) await probing.operations.credit(probing.event(missing, { uid }));
      if (missing < 0) await this.#take(probing, uid, -missing);
    }
    this.open.clear();
    partner.left = 0;
  }

  /** Whether all balances are those of the beginning; unknown where the server does not tell. */
  async state(probing: ProbeContext, partner: Partner): Promise<'even' | 'uneven' | 'unknown'> {
    if (this.#opening.size === 0) return 'unknown';
    partner.left += this.#opening.size;
    try {
      for (const [uid, opening] of this.#opening) if ((await probing.balance(uid)) !== opening) return 'uneven';
      return 'even';
    } catch (error) {
      if (error instanceof Blocked) return 'unknown';
      throw error;
    }
  }

  /** Takes what a customer has too much, for good. */
  async #take(probing: ProbeContext, uid: string, points: number): Promise<void> {
    if (probing.input.api === 'v2') {
      const order = probing.fresh();
      await probing.operations.redeem({ customer_id: uid, order_id: order, redeem_code: order, points });
      return;
    }
    const record = probing.record(points, { uid });
    const answer = await probing.operations.save(record);
    if (isSuccess(answer)) await probing.operations.update(probing.status(record.redeemCode, 'Delivered'));
  }
}
