/** Compares the ledgers of platform and client, redemption by redemption (OP-23, OP-24). */

/**
 * A redemption in the platform's ledger. `points` is the number of deducted points from the platform's view: none
 * unless the order is placed.
 */
export interface PlatformPosition {
  readonly redeemCode: string;
  readonly uid: string;
  /** `Placing` while the order call is in progress: the order is not placed yet. */
  readonly state: 'Placing' | 'Pending' | 'Delivered' | 'Rejected';
  readonly points: number;
  readonly outstanding: Outstanding;
}

/** The platform's outstanding work on a redemption: work that is due, a delivery that was given up, or none. */
export type Outstanding = 'due' | 'parked' | 'none';

/** A redemption in the client's ledger. `uid` is null for the marker of a rejection that arrived first (OP-22). */
export interface ClientPosition {
  readonly redeemCode: string;
  readonly uid: string | null;
  readonly state: 'Pending' | 'Delivered' | 'Rejected' | 'Refused';
  readonly points: number;
}

type DifferenceKind = 'orphan_deduction' | 'missing_reversal' | 'missing_deduction' | 'points_differ';

/** A redemption whose deducted points differ. `difference` is the client's points minus the platform's. */
export interface Difference {
  readonly redeemCode: string;
  readonly uid: string;
  readonly kind: DifferenceKind;
  readonly platform: PlatformPosition | undefined;
  readonly client: ClientPosition | undefined;
  readonly difference: number;
  readonly outstanding: Outstanding;
}

/**
 * Returns every redemption whose deducted points differ: first those of the platform in its order, then those that only
 * the client has.
 */
export function reconcile(platform: readonly PlatformPosition[], client: readonly ClientPosition[]): Difference[] {
  const booked = new Map(client.map((position) => [position.redeemCode, position]));
  const platformCodes = new Set(platform.map(({ redeemCode }) => redeemCode));
  return [
    ...platform.flatMap((ours) => compare(ours, booked.get(ours.redeemCode))),
    ...client
      .filter(({ redeemCode }) => !platformCodes.has(redeemCode))
      .flatMap((theirs) => compare(undefined, theirs)),
  ];
}

function compare(platform: PlatformPosition | undefined, client: ClientPosition | undefined): Difference[] {
  const difference = (client?.points ?? 0) - (platform?.points ?? 0);
  if (difference === 0) return [];
  const kind = kindOf(platform, client);
  const redeemCode = platform?.redeemCode ?? client?.redeemCode ?? '';
  const uid = platform?.uid ?? client?.uid ?? '';
  return [{ redeemCode, uid, kind, platform, client, difference, outstanding: platform?.outstanding ?? 'none' }];
}

/** Classifies a difference. Either one side has no points, or both have different amounts. */
function kindOf(platform: PlatformPosition | undefined, client: ClientPosition | undefined): DifferenceKind {
  if ((client?.points ?? 0) === 0) return 'missing_deduction';
  if (platform?.state === 'Rejected') return 'missing_reversal';
  return platform === undefined || platform.state === 'Placing' ? 'orphan_deduction' : 'points_differ';
}
