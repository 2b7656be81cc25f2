/** Tests the comparison of a balance with the changes that should explain it (OP-110, OP-112). */
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

/** Returns an account that read a balance of 5000, recorded the changes, and then read `balance`. */
const read = (changes: readonly BalanceChange[], balance: number): Account =>
  recordBalance(changes.reduce(recordChange, recordBalance(newAccount, 5_000, 1)), balance, 2);

/** Returns the kind and mistake of each change in the verdict. */
const named = (account: Account) => verdictOf(account, nothing)?.changes.map(({ kind, mistake }) => [kind, mistake]);

describe('OP-110: a balance that its changes explain has no verdict', () => {
  test.each([
    ['nothing changed', [], 5_000],
    ['a deduction', [deduction], 3_452],
    ['a refused deduction', [refused], 5_000],
    ['a deduction cancelled with its order', [cancelled], 5_000],
    ['a deduction and its reversal', [deduction, reversal], 5_000],
    ['a credit', [credit], 5_010],
    ['all of these changes', [deduction, refused, credit, cancelled, reversal], 5_010],
  ])('%s', (_, changes, balance) => {
    expect(verdictOf(read(changes, balance), nothing)).toBeUndefined();
  });
});

describe('OP-110: the difference identifies the mistake', () => {
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

  test('names each combination of changes that adds up to the difference', () => {
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

  test('names every change when the balance did not move at all', () => {
    expect(named(read([deduction, credit, refused], 5_000))).toEqual([
      ['deduction', 'not_deducted'],
      ['credit', 'not_credited'],
    ]);
  });
});

describe('OP-110: the verdict is unknown, not a difference, when', () => {
  const right = read([], 5_000);
  const suspects = (changes: readonly BalanceChange[]) => changes.map((one) => ({ ...one, mistake: null }));
  test.each([
    ['unanswered', right, { open: [deduction], pending: 0 }, null, [deduction]],
    ['not_read', recordChange(right, credit), nothing, null, [credit]],
    ['no_read_before', recordBalance(recordChange(newAccount, credit), 5_010, 1), nothing, null, [credit]],
    ['unexplained', read([credit], 5_087), nothing, -77, [credit]],
    ['unexplained', read([], 4_900), nothing, 100, []],
  ] as const)('%s', (reason, account, pendingWork, difference, changes) => {
    const expected = { kind: 'unknown', reason, difference, changes: suspects(changes) };
    expect(verdictOf(account, pendingWork)).toEqual(expected);
  });

  test('pending: the surplus is at most the points of Pending lines', () => {
    const account = read([deduction], 5_000);
    expect(verdictOf(account, { open: [], pending: 1548 })).toMatchObject({ kind: 'unknown', reason: 'pending' });
    expect(verdictOf(account, { open: [], pending: 1547 })).toMatchObject({ kind: 'balance_differs' });
    const poorer = read([deduction], 5_000 - 2 * 1548);
    expect(verdictOf(poorer, { open: [], pending: 9_999 })).toMatchObject({ kind: 'balance_differs' });
  });
});

test('OP-110: a balance that is corrected later has no verdict', () => {
  const wrong = read([reversal], 5_000);
  expect(verdictOf(recordBalance(wrong, 6_548, 3), nothing)).toBeUndefined();
  expect(recordBalance(wrong, 6_548, 3)).toMatchObject({ suspects: [], explained: 0, unexplained: 0 });
  // A partial correction is not enough.
  expect(verdictOf(recordBalance(wrong, 6_000, 3), nothing)).toMatchObject({ kind: 'balance_differs' });
});

test('OP-111: a balance is read again only when a new read can add information', () => {
  const right = read([], 5_000);
  expect(worthReading(newAccount)).toBe(true);
  expect(worthReading(right)).toBe(false);
  expect(worthReading(countMove(right))).toBe(false);
  expect(worthReading(recordChange(right, credit))).toBe(true);
  expect(worthReading(read([], 4_900))).toBe(true);
});

test('OP-112: an account stores 50 changes and 50 suspects, counts all changes, and limits the search for a cause', () => {
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
