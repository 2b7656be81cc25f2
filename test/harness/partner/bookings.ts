/** Records of the server's ledger. */

/** The version of the API that a call uses. */
export type Version = 1 | 2;

/** The totals of a customer. */
export interface Account {
  earned: number;
  redeemed: number;
}

/** A requested deduction. The fingerprint covers all its values; a repeat must have the same one. */
export interface Deduction {
  readonly uid: string;
  readonly points: number;
  readonly redeemPoints: number;
  readonly fingerprint: string;
}

/** A redemption and its state. */
export type Redemption =
  | (Deduction & { readonly state: 'Pending' | 'Delivered' | 'Rejected' })
  /** Rejected before its deduction. */
  | { readonly state: 'Refused' };

/** The points that a payment earned. */
export interface Credit {
  readonly uid: string;
  readonly transactionId: string;
  readonly points: number;
  readonly fingerprint: string;
}
