/** Tests the running balance after each entry in the portal's history. */
import { expect, it } from 'vitest';
import { statementOf } from '../../sandbox/sites/portal/history-page.ts';
import type { Happening, PortalRedemption, State } from '../../sandbox/sites/portal/portal.ts';

const at = '2026-01-12T10:00:00.000Z';
const line = (redeemCode: string, total: number, state: State) =>
  ({ redeemCode, state, points: { totalPointWithProcessingFee: total } }) as unknown as PortalRedemption;
const order = (order_id: string, ...lines: PortalRedemption[]): Happening => ({
  kind: 'redeemed',
  order: { order_id, at, lines },
});
const payment = (transactionId: string, points: number, credited = true): Happening => ({
  kind: 'earned',
  earning: { transactionId, paymentAmount: '1', points, credited, at },
});
const happenings = [
  order('O2', line('C', 40, 'Pending'), line('D', 2, 'Reversing')),
  payment('T3', 30),
  payment('T2', 9, false),
  order('O1', line('A', 100, 'Redeemed'), line('B', 7, 'Reversed')),
  payment('T1', 500),
];
const runningBalances = (balance: number | undefined) => {
  const { rows, left } = statementOf(happenings, balance);
  return [
    ...rows.map((row) => [row.kind === 'earned' ? row.earning.transactionId : row.line.redeemCode, row.left]),
    ['before', left],
  ];
};

it('OP-185: counts back from the current balance, and skips refunded deductions and payments that are not credited yet', () => {
  expect(runningBalances(1000)).toEqual([
    ['C', 1000],
    ['D', 1040],
    ['T3', 1042],
    ['T2', 1012],
    ['A', 1012],
    ['B', 1112],
    ['T1', 1112],
    ['before', 612],
  ]);
});

it('OP-185: has no running balances while the current balance is unknown', () => {
  expect(new Set(runningBalances(undefined).map(([, left]) => left))).toEqual(new Set([undefined]));
});
