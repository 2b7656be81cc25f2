/** Tests the entries that an account refuses. test/client/ledger.property.test.ts checks the others, in any order. */
import { expect, test } from 'vitest';
import { book, type Entry, evolve, type Redemption } from '../../sandbox/domain/ledger.ts';

const most = 999_999_999_999_999;
const entry = (kind: Entry['kind'], points: number): Entry => ({ kind, points, reference: 'R1' });

test.each([
  { kind: 'deduct', points: 71, why: 'is beyond the balance' },
  { kind: 'reverse', points: 31, why: 'is more than was redeemed' },
  { kind: 'credit', points: most - 99, why: 'is beyond what numeric text can carry' },
] as const)('a $kind of $points is refused: it $why', ({ kind, points }) => {
  const account = { totalEarned: 100, totalRedeemed: 30 };
  expect(book(account, entry(kind, points))).toBeUndefined();
  expect(book(account, entry(kind, points - 1))).toBeDefined();
});

const notWhole = [-1, 0.5, 1e-9, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53];

test.each(['credit', 'deduct', 'reverse'] as const)('the points of a %s are whole and not negative', (kind) => {
  for (const points of notWhole) {
    expect(book({ totalEarned: most, totalRedeemed: most }, entry(kind, points)), String(points)).toBeUndefined();
  }
});

const booked = { uid: 'ANN', points: 40, fingerprint: 'as first' };

test.each<[string, Redemption | undefined]>([
  ['none', undefined],
  ['Delivered', { state: 'Delivered', ...booked }],
  ['Rejected', { state: 'Rejected', ...booked, reason: 'Out of stock' }],
  ['Refused', { state: 'Refused' }],
])('S3, S6: a redemption that is %s can be neither delivered nor reversed', (state, redemption) => {
  const message = `no pending redemption, but ${state}`;
  expect(() => evolve(redemption, { type: 'delivered' })).toThrow(message);
  expect(() => evolve(redemption, { type: 'reversed', points: 40, uid: 'ANN', reason: '' })).toThrow(message);
});
