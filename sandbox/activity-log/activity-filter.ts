import type { ActivityEntry } from './activity-entry.ts';

/** The entries to show; an omitted field matches all. */
export interface ActivityFilter {
  readonly trace?: string;
  readonly redeem_code?: string;
  readonly uid?: string;
}

/** The customer of a redeem code; undefined if there is none. */
export type OwnerOf = (redeemCode: string) => string | undefined;

/**
 * The test that an entry has to pass for a filter. An entry is also about a customer if it names only one of their
 * redemptions (OP-136).
 */
export function entryFilter(
  { trace, redeem_code, uid }: ActivityFilter,
  ownerOf: OwnerOf,
): (entry: ActivityEntry) => boolean {
  return (entry) =>
    (trace === undefined || entry.trace === trace) &&
    (redeem_code === undefined || entry.redeem_codes.includes(redeem_code)) &&
    (uid === undefined || entry.uid === uid || entry.redeem_codes.some((code) => ownerOf(code) === uid));
}
