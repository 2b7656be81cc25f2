/**
 * Minimum pause after a wallet read, in milliseconds per returned voucher. It is twenty times the processor time that a
 * read costs both parties, so reads use at most a twentieth of a processor.
 */
const restPerVoucher = 0.1;
/** Minimum number of vouchers in a large wallet. Smaller wallets are read after every delivery. */
const largeWallet = 100;
/** Maximum delay of a large wallet's read, in milliseconds. */
const longestWait = 60_000;
/** Maximum number of customers remembered as having a large wallet. */
const mostRemembered = 1_000;

/**
 * Limits how often the reference client reads large wallets. A read returns the whole wallet, so its cost grows with
 * the number of vouchers (OP-92). Times are milliseconds on the sandbox clock.
 */
export class WalletReads {
  /** Customers with large wallets, oldest entry first. */
  readonly #large = new Set<string>();
  /** The earliest time of the next large read. */
  #next = 0;
  /** The current operation on each customer's wallet. */
  readonly #busy = new Map<string, Promise<void>>();

  /** Returns the earliest time, no earlier than `earliest`, to read a customer's wallet. */
  at(uid: string, earliest: number): number {
    if (!this.#large.has(uid)) return earliest;
    return Math.max(earliest, Math.min(this.#next, earliest + longestWait));
  }

  /** Records a wallet read and the number of vouchers it returned. */
  note(uid: string, vouchers: number, now: number): void {
    this.#large.delete(uid);
    if (vouchers < largeWallet) return;
    this.#large.add(uid);
    const [first] = this.#large;
    if (this.#large.size > mostRemembered && first !== undefined) this.#large.delete(first);
    this.#next = Math.max(this.#next, now) + Math.ceil(vouchers * restPerVoucher);
  }

  /** Runs `use` after all earlier callers for this customer are done. Their read may have served this caller too. */
  async alone(uid: string, use: () => Promise<void>): Promise<void> {
    const before = this.#busy.get(uid);
    const mine = before === undefined ? use() : before.catch(() => undefined).then(use);
    this.#busy.set(uid, mine);
    try {
      await mine;
    } finally {
      if (this.#busy.get(uid) === mine) this.#busy.delete(uid);
    }
  }

  /** Forgets all reads, for example after a restore to an earlier time. */
  forget(): void {
    this.#large.clear();
    this.#next = 0;
  }
}
