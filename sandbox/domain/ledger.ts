/**
 * The client's ledger. An account is what its entries add up to: balance = earned - redeemed, never negative. A
 * redemption is deducted at most once and reversed at most once; that is its state machine's business
 * (`redemption.ts`).
 */

/** The totals of one customer, in points (R10). */
export interface Account {
  readonly totalEarned: number;
  readonly totalRedeemed: number;
}

/** One booking. `reference` is a transactionId, a redeemCode, or `opening`. */
export interface Entry {
  readonly kind: 'credit' | 'deduct' | 'reverse';
  readonly points: number;
  readonly reference: string;
}

/** The points lifecycle labels of the interface. */
export type LifecycleLabel = 'Earned' | 'Pending' | 'Redeemed' | 'Reversed';

export const emptyAccount: Account = { totalEarned: 0, totalRedeemed: 0 };

/** Most points an account may ever have earned: the largest number that numeric text can carry (OP-09). */
const mostPoints = 999_999_999_999_999;

/** What the customer can spend. */
export function balance(account: Account): number {
  return account.totalEarned - account.totalRedeemed;
}

/** The account as the interface shows it. */
export function points(account: Account): { totalEarned: number; balance: number; totalRedeemed: number } {
  return { totalEarned: account.totalEarned, balance: balance(account), totalRedeemed: account.totalRedeemed };
}

/**
 * The account after an entry, or undefined when the entry cannot be booked: points that are not a whole number of at
 * least 0, a deduction beyond the balance, a reversal of more than was redeemed, a credit beyond what text can carry.
 */
export function book(account: Account, entry: Entry): Account | undefined {
  if (!Number.isSafeInteger(entry.points) || entry.points < 0) return undefined;
  switch (entry.kind) {
    case 'credit': {
      const totalEarned = account.totalEarned + entry.points;
      return totalEarned > mostPoints ? undefined : { ...account, totalEarned };
    }
    case 'deduct':
      if (entry.points > balance(account)) return undefined;
      return { ...account, totalRedeemed: account.totalRedeemed + entry.points };
    case 'reverse':
      if (entry.points > account.totalRedeemed) return undefined;
      return { ...account, totalRedeemed: account.totalRedeemed - entry.points };
  }
}

/** The lifecycle label of an entry, by the status of its redemption (undefined for an entry without one). */
export function label(entry: Entry, redemption: 'Pending' | 'Delivered' | 'Rejected' | undefined): LifecycleLabel {
  if (entry.kind === 'credit') return 'Earned';
  if (entry.kind === 'reverse') return 'Reversed';
  if (redemption === 'Pending') return 'Pending';
  return redemption === 'Rejected' ? 'Reversed' : 'Redeemed';
}
