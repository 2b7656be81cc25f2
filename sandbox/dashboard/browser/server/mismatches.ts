import type { Schemas } from '../api.ts';

/** Ledger mismatches, by the operations of the client that may have caused them. */

type Difference = Schemas['Difference'] | Schemas['BalanceDifference'];
export interface Mismatch {
  /** The customer. */
  uid: string;
  /** What the server may have done. */
  what: string;
}

const deducting = ['saveRedeemDetails', 'redeemPoints'];
const reversing = ['updateRedeemStatus', 'reversePoints'];

const ofRedemption: Readonly<
  Record<Schemas['Difference']['kind'], readonly [operations: readonly string[], what: string]>
> = {
  orphan_deduction: [deducting, 'points deducted without an order'],
  missing_deduction: [deducting, 'points not deducted'],
  points_differ: [deducting, 'wrong number of points deducted'],
  missing_reversal: [reversing, 'points of a rejected order not refunded'],
};

const ofBalance: Readonly<
  Record<NonNullable<Schemas['BalanceChange']['mistake']>, readonly [operations: readonly string[], what: string]>
> = {
  deducted_twice: [deducting, 'deducted twice'],
  not_deducted: [deducting, 'not deducted'],
  deducted_without_fee: [deducting, 'deducted without the fee'],
  deducted_though_refused: [deducting, 'deducted although refused'],
  not_reversed: [reversing, 'not refunded'],
  reversed_without_fee: [reversing, 'refunded without the fee'],
  reversed_twice: [reversing, 'refunded twice'],
  not_credited: [['creditPoints'], 'not credited'],
  credited_twice: [['creditPoints'], 'credited twice'],
};

/** Mismatches of each operation. A balance that cannot be judged is not a mismatch. */
export function mismatchesOf(differences: readonly Difference[]) {
  const found = new Map<string, Mismatch[]>();
  for (const difference of differences) {
    for (const [operations, what] of causesOf(difference)) {
      for (const operation of operations) {
        const listed = found.get(operation) ?? [];
        const isListed = listed.some((one) => one.uid === difference.uid && one.what === what);
        if (!isListed) found.set(operation, [...listed, { uid: difference.uid, what }]);
      }
    }
  }
  return found;
}

function causesOf(difference: Difference): readonly (readonly [operations: readonly string[], what: string])[] {
  if ('redeem_code' in difference) return [ofRedemption[difference.kind]];
  if (difference.kind !== 'balance_differs') return [];
  return difference.changes.flatMap(({ mistake }) => (mistake === null ? [] : [ofBalance[mistake]]));
}
