/**
 * How long wallets are not read again after a read, for each voucher that it returned: twenty times the processor time
 * that this takes both sides together. So reading takes at most a twentieth of a processor.
 */
const restPerVoucher = 0.1;
/** Smaller wallets are read whenever something is delivered. */
const largeWallet = 100;
/** The longest that a customer waits for large wallets to be read. */
const longestWait = 60_000;
/** Most customers whose wallets are remembered as large. */
const mostRemembered = 1_000;

/**
 * When the reference client may read a wallet again. A wallet comes whole, so that a read costs as much as the customer
 * has vouchers (OP-92). Times are milliseconds on the sandbox clock.
 */
export class WalletReads {
  /** Customers whose wallets are large, the oldest entry first. */
  readonly #large = new Set<string>();
  /** Before this instant no large wallet is read. */
  #next = 0;
  /** By customer, what is being done with the wallet. */
  readonly #busy = new Map<string, Promise<void>>();

  /** The first instant from `earliest` on at which a customer's wallet may be read. */
  at(uid: string, earliest: number): number {
    if (!this.#large.has(uid)) return earliest;
    return Math.max(earliest, Math.min(this.#next, earliest + longestWait));
  }

  /** Notes that a wallet was read, and how many vouchers it had. */
  note(uid: string, vouchers: number, now: number): void {
    this.#large.delete(uid);
    if (vouchers < largeWallet) return;
    this.#large.add(uid);
    const [first] = this.#large;
    if (this.#large.size > mostRemembered && first !== undefined) this.#large.delete(first);
    this.#next = Math.max(this.#next, now) + Math.ceil(vouchers * restPerVoucher);
  }

  /** Runs `use` when no other caller uses the customer's wallet, whose read may have served this caller too. */
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

  /** Forgets all reads, as after a return to an earlier time. */
  forget(): void {
    this.#large.clear();
    this.#next = 0;
  }
}
