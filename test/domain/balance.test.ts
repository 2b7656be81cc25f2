/** Tests how a difference is explained (OP-110, OP-112). test/control/partner-balances.test.ts has each mistake and each unknown. */
import { expect, test } from 'vitest';
import {
  type Account,
  type BalanceChange,
  newAccount,
  recordBalance,
  recordChange,
  verdictOf,
} from '../../sandbox/domain/balance.ts';

const nothing = { open: [], pending: 0 };
const reversal = (points: number, reference = 'RDM-1'): BalanceChange => {
  return { kind: 'reversal', reference, points, fee: 0 };
};

/** Returns an account that read a balance of 5000, recorded the changes, and then read `balance`. */
const read = (changes: readonly BalanceChange[], balance: number): Account =>
  recordBalance(changes.reduce(recordChange, recordBalance(newAccount, 5_000, 1)), balance, 2);

test.each([
  ['not_reversed', 3_452, 1548],
  ['reversed_without_fee', 4_951, 49],
  ['reversed_twice', 6_548, -1548],
])('OP-110: a deduction cancelled with its order can be %s', (mistake, balance, difference) => {
  const cancelled = { kind: 'cancelled_deduction', reference: 'RDM-1', points: 1548, fee: 49 } as const;
  const changes = [{ ...cancelled, mistake }];
  expect(verdictOf(read([cancelled], balance), nothing)).toEqual({ kind: 'balance_differs', difference, changes });
});

test.each([
  [300, ['B']],
  [500, ['A', 'C']],
  [800, ['A', 'B', 'C']],
  [1_000, ['A', 'C']],
  [1_300, ['A', 'B', 'C']],
])('OP-110: a difference of %i names each combination of changes that adds up to it', (missing, codes) => {
  const account = read([reversal(500, 'A'), reversal(300, 'B'), reversal(500, 'C')], 6_300 - missing);
  expect(verdictOf(account, nothing)?.changes.map(({ reference }) => reference)).toEqual(codes);
});

test('OP-110: a surplus of at most the points of Pending lines is unknown; a deficit is not', () => {
  const kindOf = (balance: number, pending: number) => verdictOf(read([], balance), { open: [], pending });
  expect(kindOf(6_548, 1548)).toMatchObject({ kind: 'unknown', reason: 'pending' });
  expect(kindOf(6_548, 1547)).toMatchObject({ reason: 'unexplained' });
  expect(kindOf(3_452, 9_999)).toMatchObject({ reason: 'unexplained' });
});

test('OP-110: a partial correction leaves a difference', () => {
  const corrected = recordBalance(read([reversal(1548)], 5_000), 6_000, 3);
  expect(verdictOf(corrected, nothing)).toMatchObject({ kind: 'balance_differs' });
});

test('OP-112: an account stores 50 changes and 50 suspects, counts all changes, and limits the search for a cause', () => {
  const many = Array.from({ length: 80 }, (_, index) => reversal(2 ** (index % 30), `RDM-${index}`));
  const account = many.reduce(recordChange, recordBalance(newAccount, 0, 1));
  expect(account.changes).toEqual(many.slice(-50));
  const net = many.reduce((sum, { points }) => sum + points, 0);
  expect(verdictOf(recordBalance(account, net, 2), nothing)).toBeUndefined();
  const off = recordBalance(account, net - 3_000_001, 2);
  expect(off.suspects.length).toBeLessThanOrEqual(50);
  const again = recordBalance(many.reduce(recordChange, off), 0, 3);
  expect(again.suspects.length).toBeLessThanOrEqual(50);
});
