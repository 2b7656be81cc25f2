/** The history of the portal: what happened, in its order, and what was left after each. */
import { expect, it } from 'vitest';
import type { PortalRedemption, State } from '../../sandbox/web/portal/portal-orders.ts';
import { statementOf } from '../../sandbox/web/portal/statement.ts';

const at = (minute: number) => `2026-01-12T10:0${minute}:00.000Z`;
const line = (redeemCode: string, total: number, state: State) =>
  ({ redeemCode, state, points: { totalPointWithProcessingFee: total } }) as unknown as PortalRedemption;
const payment = (transactionId: string, points: number, minute: number | null, seq: number, credited = true) => ({
  ...{ transactionId, paymentAmount: '1', points, credited, seq },
  at: minute === null ? null : at(minute),
});
const orders = [
  { order_id: 'O2', at: at(3), seq: 9, lines: [line('C', 40, 'Pending'), line('D', 2, 'Reversing')] },
  { order_id: 'O1', at: at(1), seq: 5, lines: [line('A', 100, 'Redeemed'), line('B', 7, 'Reversed')] },
];
const earned = [payment('T3', 30, 3, 8), payment('T2', 9, 2, 7, false), payment('T1', 500, null, 0)];
const told = (balance: number | undefined) =>
  statementOf(orders, earned, balance).map((row) => [
    row.kind === 'earned' ? row.earning.transactionId : row.line.redeemCode,
    row.left,
  ]);

it('OP-185: goes back from the balance now, past what was given back and what is not credited yet', () => {
  expect(told(1000)).toEqual([
    ['C', 1000],
    ['D', 1040],
    ['T3', 1042],
    ['T2', 1012],
    ['A', 1012],
    ['B', 1112],
    ['T1', 1112],
  ]);
});

it('OP-185: tells nothing of what was left where the balance is not known', () => {
  expect(new Set(told(undefined).map(([, left]) => left))).toEqual(new Set([undefined]));
});
