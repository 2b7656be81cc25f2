/** A balance held against what changes must have made of it, by itself (OP-110, OP-112). */
import { describe, expect, test } from 'vitest';
import {
  type Account,
  type BalanceChange,
  type ChangeKind,
  countMove,
  newAccount,
  recordBalance,
  recordChange,
  verdictOf,
  worthReading,
} from '../../sandbox/domain/balance.ts';

const nothing = { open: [], pending: 0 };
const change = (kind: ChangeKind, points: number, fee = 0, reference = 'RDM-1'): BalanceChange => {
  return { kind, reference, points, fee };
};
const deduction = change('deduction', 1548, 49);
const reversal = change('reversal', 1548, 49);
const refused = change('refused_deduction', 1548, 49);
const cancelled = change('cancelled_deduction', 1548, 49);
const credit = change('credit', 10, 0, 'TXN-1');

/** An account that was told 5000, then the changes, then `balance`. */
const read = (changes: readonly BalanceChange[], balance: number): Account =>
  recordBalance(changes.reduce(recordChange, recordBalance(newAccount, 5_000, 1)), balance, 2);

/** What is named: mistakes with the reference where there are several. */
const named = (account: Account) => verdictOf(account, nothing)?.changes.map(({ kind, mistake }) => [kind, mistake]);

describe('OP-110: a balance that its changes explain is right', () => {
  test.each([
    ['nothing changed', [], 5_000],
    ['a deduction', [deduction], 3_452],
    ['a deduction that was refused', [refused], 5_000],
    ['a deduction that was taken back with its order', [cancelled], 5_000],
    ['a deduction and its reversal', [deduction, reversal], 5_000],
    ['a credit', [credit], 5_010],
    ['all of it', [deduction, refused, credit, cancelled, reversal], 5_010],
  ])('%s', (_, changes, balance) => {
    expect(verdictOf(read(changes, balance), nothing)).toBeUndefined();
  });
});

describe('OP-110: a mistake is named by the difference that it makes', () => {
  test.each([
    ['deducted_twice', [deduction], 5_000 - 2 * 1548, 1548],
    ['not_deducted', [deduction], 5_000, -1548],
    ['deducted_without_fee', [deduction], 5_000 - 1499, -49],
    ['deducted_though_refused', [refused], 3_452, 1548],
    ['not_reversed', [cancelled], 3_452, 1548],
    ['reversed_without_fee', [cancelled], 4_951, 49],
    ['reversed_twice', [cancelled], 6_548, -1548],
    ['not_reversed', [reversal], 5_000, 1548],
    ['reversed_without_fee', [reversal], 6_499, 49],
    ['reversed_twice', [reversal], 5_000 + 2 * 1548, -1548],
    ['not_credited', [credit], 5_000, 10],
    ['credited_twice', [credit], 5_020, -10],
  ])('%s', (mistake, changes, balance, difference) => {
    expect(verdictOf(read(changes, balance), nothing)).toEqual({
      kind: 'balance_differs',
      difference,
      changes: changes.map((one) => ({ ...one, mistake })),
    });
  });

  test('one of several, or several of them, when they add up', () => {
    const [one, two, three] = [
      change('reversal', 500, 0, 'A'),
      change('reversal', 300, 0, 'B'),
      change('reversal', 500, 0, 'C'),
    ];
    const missing = (points: number) => {
      const found = verdictOf(read([one, two, three], 6_300 - points), nothing);
      return found?.changes.map(({ reference }) => reference);
    };
    expect([missing(300), missing(500), missing(800), missing(1_000), missing(1_300)]).toEqual([
      ['B'],
      ['A', 'C'],
      ['A', 'B', 'C'],
      ['A', 'C'],
      ['A', 'B', 'C'],
    ]);
  });

  test('a balance that stands still while several changes should have moved it', () => {
    expect(named(read([deduction, credit, refused], 5_000))).toEqual([
      ['deduction', 'not_deducted'],
      ['credit', 'not_credited'],
    ]);
  });
});

describe('OP-110: it is unknown, and no difference, where', () => {
  const right = read([], 5_000);
  const suspects = (changes: readonly BalanceChange[]) => changes.map((one) => ({ ...one, mistake: null }));
  test.each([
    ['unanswered', right, { open: [deduction], pending: 0 }, null, [deduction]],
    ['not_read', recordChange(right, credit), nothing, null, [credit]],
    ['no_read_before', recordBalance(recordChange(newAccount, credit), 5_010, 1), nothing, null, [credit]],
    ['unexplained', read([credit], 5_087), nothing, -77, [credit]],
    ['unexplained', read([], 4_900), nothing, 100, []],
  ] as const)('%s', (reason, account, beside, difference, changes) => {
    const shown = { kind: 'unknown', reason, difference, changes: suspects(changes) };
    expect(verdictOf(account, beside)).toEqual(shown);
  });

  test('pending: the customer has too much, and no more than what is Pending', () => {
    const account = read([deduction], 5_000);
    expect(verdictOf(account, { open: [], pending: 1548 })).toMatchObject({ kind: 'unknown', reason: 'pending' });
    expect(verdictOf(account, { open: [], pending: 1547 })).toMatchObject({ kind: 'balance_differs' });
    const poorer = read([deduction], 5_000 - 2 * 1548);
    expect(verdictOf(poorer, { open: [], pending: 9_999 })).toMatchObject({ kind: 'balance_differs' });
  });
});

test('OP-110: what was made good later is right again', () => {
  const wrong = read([reversal], 5_000);
  expect(verdictOf(recordBalance(wrong, 6_548, 3), nothing)).toBeUndefined();
  expect(recordBalance(wrong, 6_548, 3)).toMatchObject({ suspects: [], explained: 0, unexplained: 0 });
  // A part of it is not enough.
  expect(verdictOf(recordBalance(wrong, 6_000, 3), nothing)).toMatchObject({ kind: 'balance_differs' });
});

test('OP-111: a balance is read again where that can tell something new', () => {
  const right = read([], 5_000);
  expect(worthReading(newAccount)).toBe(true);
  expect(worthReading(right)).toBe(false);
  expect(worthReading(countMove(right))).toBe(false);
  expect(worthReading(recordChange(right, credit))).toBe(true);
  expect(worthReading(read([], 4_900))).toBe(true);
});

test('OP-112: 50 changes and 50 suspects are remembered, all are counted, and looking for a cause ends', () => {
  const many = Array.from({ length: 80 }, (_, index) => change('reversal', 2 ** (index % 30), 0, `RDM-${index}`));
  const account = many.reduce(recordChange, recordBalance(newAccount, 0, 1));
  expect(account.changes).toEqual(many.slice(-50));
  const net = many.reduce((sum, { points }) => sum + points, 0);
  expect(verdictOf(recordBalance(account, net, 2), nothing)).toBeUndefined();
  const off = recordBalance(account, net - 3_000_001, 2);
  expect(off.suspects.length).toBeLessThanOrEqual(50);
  const again = recordBalance(many.reduce(recordChange, off), 0, 3);
  expect(again.suspects.length).toBeLessThanOrEqual(50);
});
