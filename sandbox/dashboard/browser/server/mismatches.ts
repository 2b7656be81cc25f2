// @ts-check
/** Ledger mismatches, by the operations of the client that may have caused them. */

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['Difference'] | Schemas['BalanceDifference']} Difference
 * @typedef {object} Mismatch
 * @property {string} uid The customer.
 * @property {string} what What the server may have done.
 */

const deducting = ['saveRedeemDetails', 'redeemPoints'];
const reversing = ['updateRedeemStatus', 'reversePoints'];

/** @type {Readonly<Record<Schemas['Difference']['kind'], readonly [operations: readonly string[], what: string]>>} */
const ofRedemption = {
  orphan_deduction: [deducting, 'points deducted without an order'],
  missing_deduction: [deducting, 'points not deducted'],
  points_differ: [deducting, 'wrong number of points deducted'],
  missing_reversal: [reversing, 'points of a rejected order not refunded'],
};

/** @type {Readonly<Record<NonNullable<Schemas['BalanceChange']['mistake']>, readonly [operations: readonly string[], what: string]>>} */
const ofBalance = {
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

/**
 * Mismatches of each operation. A balance that cannot be judged is not a mismatch.
 * @param {readonly Difference[]} differences
 */
export function mismatchesOf(differences) {
  /** @type {Map<string, Mismatch[]>} */
  const found = new Map();
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

/**
 * @param {Difference} difference
 * @returns {readonly (readonly [operations: readonly string[], what: string])[]}
 */
function causesOf(difference) {
  if ('redeem_code' in difference) return [ofRedemption[difference.kind]];
  if (difference.kind !== 'balance_differs') return [];
  return difference.changes.flatMap(({ mistake }) => (mistake === null ? [] : [ofBalance[mistake]]));
}
