/** What the ledger of the server holds. */

/** Which version of the API asks. */
export type Version = 1 | 2;

/** The totals of a customer. */
export interface Account {
  earned: number;
  redeemed: number;
}

/** What is asked to be deducted. The fingerprint stands for all values, which a repeat must equal. */
export interface Deduction {
  readonly uid: string;
  readonly points: number;
  readonly redeemPoints: number;
  readonly fingerprint: string;
}

/** How a redemption stands. */
export type Redemption =
  | (Deduction & { readonly state: 'Pending' | 'Delivered' | 'Rejected' })
  /** Rejected before its deduction. */
  | { readonly state: 'Refused' };

/** What a payment earned. */
export interface Credit {
  readonly uid: string;
  readonly transactionId: string;
  readonly points: number;
  readonly fingerprint: string;
}
