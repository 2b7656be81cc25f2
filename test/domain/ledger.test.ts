import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Account, balance, book, type Entry, emptyAccount, label, points } from '../../sandbox/domain/ledger.ts';

const account: Account = { totalEarned: 100, totalRedeemed: 30 };
const most = 999_999_999_999_999;
const entry = (kind: Entry['kind'], points: number): Entry => ({ kind, points, reference: 'R1' });

describe('account', () => {
  test('the balance is what was earned less what was redeemed', () => {
    expect(balance(account)).toBe(70);
    expect(balance(emptyAccount)).toBe(0);
  });

  test('it shows the three numbers of the interface', () => {
    expect(points(account)).toEqual({ totalEarned: 100, balance: 70, totalRedeemed: 30 });
  });
});

describe('booking', () => {
  test.each([
    { kind: 'credit', points: 5, after: { totalEarned: 105, totalRedeemed: 30 } },
    { kind: 'credit', points: 0, after: account },
    { kind: 'credit', points: most - 100, after: { totalEarned: most, totalRedeemed: 30 } },
    { kind: 'deduct', points: 5, after: { totalEarned: 100, totalRedeemed: 35 } },
    { kind: 'deduct', points: 0, after: account },
    { kind: 'deduct', points: 70, after: { totalEarned: 100, totalRedeemed: 100 } },
    { kind: 'reverse', points: 5, after: { totalEarned: 100, totalRedeemed: 25 } },
    { kind: 'reverse', points: 0, after: account },
    { kind: 'reverse', points: 30, after: { totalEarned: 100, totalRedeemed: 0 } },
  ] as const)('a $kind of $points is booked', ({ kind, points, after }) => {
    expect(book(account, entry(kind, points))).toEqual(after);
  });

  test.each([
    { kind: 'deduct', points: 71, why: 'is beyond the balance' },
    { kind: 'reverse', points: 31, why: 'is more than was redeemed' },
    { kind: 'credit', points: most - 99, why: 'is beyond what numeric text can carry' },
    { kind: 'credit', points: Number.MAX_SAFE_INTEGER, why: 'is beyond what numeric text can carry' },
  ] as const)('a $kind of $points is refused: it $why', ({ kind, points }) => {
    expect(book(account, entry(kind, points))).toBeUndefined();
  });

  const notWhole = [-1, 0.5, 1e-9, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53];
  test.each(
    (['credit', 'deduct', 'reverse'] as const).flatMap((kind) => notWhole.map((points) => [kind, points] as const)),
  )('a %s of %d is refused: points are whole and not negative', (kind, points) => {
    expect(book({ totalEarned: most, totalRedeemed: most }, entry(kind, points))).toBeUndefined();
  });

  test('booking changes no account: it makes a new one', () => {
    expect(book(Object.freeze({ ...account }), entry('credit', 1))).toEqual({ totalEarned: 101, totalRedeemed: 30 });
  });

  test('any entries: balance = credits - deductions + reversals, and 0 <= balance <= earned', () => {
    const entries = fc.array(
      fc.record({
        kind: fc.constantFrom<Entry['kind'][]>('credit', 'deduct', 'reverse'),
        points: fc.oneof(fc.nat(50), fc.constantFrom(-1, 0.5, most)),
        reference: fc.constant('R1'),
      }),
    );
    fc.assert(
      fc.property(entries, (entries) => {
        let account = emptyAccount;
        let expected = 0;
        for (const entry of entries) {
          const after = book(account, entry);
          if (after === undefined) continue;
          account = after;
          expected += entry.kind === 'deduct' ? -entry.points : entry.points;
          expect(balance(account)).toBe(expected);
          expect(balance(account)).toBeGreaterThanOrEqual(0);
          expect(balance(account)).toBeLessThanOrEqual(account.totalEarned);
        }
      }),
    );
  });
});

describe('S10, S11, S12, S13: lifecycle labels', () => {
  test.each([
    { kind: 'credit', redemption: undefined, is: 'Earned' },
    { kind: 'credit', redemption: 'Pending', is: 'Earned' },
    { kind: 'credit', redemption: 'Delivered', is: 'Earned' },
    { kind: 'credit', redemption: 'Rejected', is: 'Earned' },
    { kind: 'deduct', redemption: undefined, is: 'Redeemed' },
    { kind: 'deduct', redemption: 'Pending', is: 'Pending' },
    { kind: 'deduct', redemption: 'Delivered', is: 'Redeemed' },
    { kind: 'deduct', redemption: 'Rejected', is: 'Reversed' },
    { kind: 'reverse', redemption: undefined, is: 'Reversed' },
    { kind: 'reverse', redemption: 'Pending', is: 'Reversed' },
    { kind: 'reverse', redemption: 'Delivered', is: 'Reversed' },
    { kind: 'reverse', redemption: 'Rejected', is: 'Reversed' },
  ] as const)('a $kind whose redemption is $redemption is $is', ({ kind, redemption, is }) => {
    expect(label(entry(kind, 1), redemption)).toBe(is);
  });
});
