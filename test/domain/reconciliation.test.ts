/** Tests differences that no call over HTTP causes, and their order (OP-23). test/control/reconciliation.test.ts has the others. */
import { expect, test } from 'vitest';
import { reconcile } from '../../sandbox/domain/reconciliation.ts';

const uid = 'CUST0001';
const ours = (redeemCode: string, points: number) =>
  ({ redeemCode, uid, state: 'Pending', points, outstanding: 'none' }) as const;
const theirs = (redeemCode: string, points: number) => ({ redeemCode, uid, state: 'Pending', points }) as const;

test.each([20, -20])('points that differ by %i are reported, with both sides', (difference) => {
  const [platform, client] = [ours('RDM-1', 500), theirs('RDM-1', 500 + difference)];
  expect(reconcile([platform], [client])).toEqual([
    { redeemCode: 'RDM-1', uid, kind: 'points_differ', platform, client, difference, outstanding: 'none' },
  ]);
});

test('codes are paired: the platform’s in its order, then those that only the client has', () => {
  const platform = [ours('C', 100), ours('A', 200), ours('B', 300)];
  const client = [theirs('Z', 1), theirs('B', 300), theirs('Y', 2)];
  expect(reconcile(platform, client).map(({ redeemCode }) => redeemCode)).toEqual(['C', 'A', 'Z', 'Y']);
});
