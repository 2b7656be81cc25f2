/** Records in the server's ledger. */

/** The API version that a call uses. */
export type Version = 1 | 2;

/** A customer's totals. */
export interface Account {
  earned: number;
  redeemed: number;
}

/** A requested deduction. The fingerprint covers all its values, and a repeat must have the same one. */
export interface Deduction {
  readonly uid: string;
  readonly points: number;
  readonly redeemPoints: number;
  readonly fingerprint: string;
}

/** A redemption and its state. */
export type Redemption =
  | (Deduction & { readonly state: 'Pending' | 'Delivered' | 'Rejected' })
  /** A redemption rejected before its deduction. */
  | { readonly state: 'Refused' };

/** The points that a payment earned. */
export interface Credit {
  readonly uid: string;
  readonly transactionId: string;
  readonly points: number;
  readonly fingerprint: string;
}
