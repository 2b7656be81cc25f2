/** Tests the comparison of both sides' ledgers (OP-23, OP-24). */
import { describe, expect, test } from 'vitest';
import { type ClientPosition, type PlatformPosition, reconcile } from '../../sandbox/domain/reconciliation.ts';

const ours = (state: PlatformPosition['state'], points: number, redeemCode = 'RDM-1'): PlatformPosition => ({
  redeemCode,
  uid: 'CUST0001',
  state,
  points,
  outstanding: 'none',
});
const theirs = (state: ClientPosition['state'], points: number, redeemCode = 'RDM-1'): ClientPosition => ({
  redeemCode,
  uid: state === 'Refused' ? null : 'CUST0001',
  state,
  points,
});

describe('no difference', () => {
  test.each([
    ['both wait for the vendor', ours('Pending', 500), theirs('Pending', 500)],
    ['the client has no report of the delivery yet', ours('Delivered', 500), theirs('Pending', 500)],
    ['delivered', ours('Delivered', 500), theirs('Delivered', 500)],
    ['rejected and reversed', ours('Rejected', 0), theirs('Rejected', 0)],
    ['rejected before the deduction', ours('Rejected', 0), theirs('Refused', 0)],
    ['rejected and never deducted', ours('Rejected', 0), undefined],
    ['about to be deducted', ours('Placing', 0), undefined],
    ['a mark for a code that the platform does not know', undefined, theirs('Refused', 0)],
  ])('%s', (_, platform, client) => {
    expect(reconcile(platform ? [platform] : [], client ? [client] : [])).toEqual([]);
  });
});

describe('a difference', () => {
  test.each([
    ['orphan_deduction', 500, undefined, theirs('Pending', 500)],
    ['orphan_deduction', 500, undefined, theirs('Delivered', 500)],
    ['orphan_deduction', 500, ours('Placing', 0), theirs('Pending', 500)],
    ['missing_reversal', 500, ours('Rejected', 0), theirs('Pending', 500)],
    ['missing_reversal', 500, ours('Rejected', 0), theirs('Delivered', 500)],
    ['missing_deduction', -500, ours('Pending', 500), undefined],
    ['missing_deduction', -500, ours('Delivered', 500), undefined],
    ['missing_deduction', -500, ours('Delivered', 500), theirs('Rejected', 0)],
    ['missing_deduction', -500, ours('Pending', 500), theirs('Refused', 0)],
    ['points_differ', 20, ours('Pending', 500), theirs('Pending', 520)],
    ['points_differ', -20, ours('Delivered', 500), theirs('Delivered', 480)],
  ])('%s of %i', (kind, difference, platform, client) => {
    expect(reconcile(platform ? [platform] : [], client ? [client] : [])).toEqual([
      { redeemCode: 'RDM-1', uid: 'CUST0001', kind, platform, client, difference, outstanding: 'none' },
    ]);
  });

  test('it names the work that the platform still has to do', () => {
    const platform = (['due', 'parked', 'none'] as const).map((outstanding, index) => {
      return { ...ours('Rejected', 0, `RDM-${index}`), outstanding };
    });
    const client = platform.map(({ redeemCode }) => theirs('Pending', 500, redeemCode));
    expect(reconcile(platform, client).map(({ outstanding }) => outstanding)).toEqual(['due', 'parked', 'none']);
  });
});

test('codes are paired: the platform’s in its order, then those that only the client has', () => {
  const platform = [ours('Pending', 100, 'C'), ours('Pending', 200, 'A'), ours('Delivered', 300, 'B')];
  const client = [theirs('Pending', 1, 'Z'), theirs('Delivered', 300, 'B'), theirs('Pending', 2, 'Y')];
  expect(reconcile(platform, client).map(({ redeemCode }) => redeemCode)).toEqual(['C', 'A', 'Z', 'Y']);
});
