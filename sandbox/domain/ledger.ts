/**
 * The client's ledger. An account is the sum of its entries: balance = earned - redeemed, never negative. The state
 * machine in `redemption.ts` ensures that a redemption is deducted and reversed at most once.
 */

/** The totals of one customer, in points (R10). */
export interface Account {
  readonly totalEarned: number;
  readonly totalRedeemed: number;
}

/** A ledger entry. `reference` is a transactionId, a redeemCode, or `opening`. */
export interface Entry {
  readonly kind: 'credit' | 'deduct' | 'reverse';
  readonly points: number;
  readonly reference: string;
}

/** The interface's labels for the lifecycle of points. */
export type LifecycleLabel = 'Earned' | 'Pending' | 'Redeemed' | 'Reversed';

export const emptyAccount: Account = { totalEarned: 0, totalRedeemed: 0 };

/** Maximum number of points that an account can ever earn: the largest number that fits in numeric text (OP-09). */
const mostPoints = 999_999_999_999_999;

/** Returns the points that the customer can spend. */
export function balance(account: Account): number {
  return account.totalEarned - account.totalRedeemed;
}

/** Returns the totals of an account in the format of the interface. */
export function points(account: Account): { totalEarned: number; balance: number; totalRedeemed: number } {
  return { totalEarned: account.totalEarned, balance: balance(account), totalRedeemed: account.totalRedeemed };
}

/**
 * Returns the account after an entry, or `undefined` if the entry is invalid. Points must be a whole number of at least
 * 0. A deduction must not exceed the balance, a reversal the redeemed points, or a credit the maximum.
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

/** Returns the lifecycle label of an entry. `redemption` is the status of its redemption, or `undefined` if it has none. */
export function label(entry: Entry, redemption: 'Pending' | 'Delivered' | 'Rejected' | undefined): LifecycleLabel {
  if (entry.kind === 'credit') return 'Earned';
  if (entry.kind === 'reverse') return 'Reversed';
  if (redemption === 'Pending') return 'Pending';
  return redemption === 'Rejected' ? 'Reversed' : 'Redeemed';
}
