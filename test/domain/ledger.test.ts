/**
 * Tests the entries that an account refuses, and the decision for each command in each state of a redemption.
 * test/client/ledger.property.test.ts checks the other entries, in any order.
 */
import { expect, test } from 'vitest';
import {
  book,
  decide,
  type Entry,
  evolve,
  type Redemption,
  type RedemptionCommand,
} from '../../sandbox/domain/ledger.ts';

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
const states: Readonly<Record<'none' | Redemption['state'], Redemption | undefined>> = {
  none: undefined,
  Pending: { state: 'Pending', ...booked },
  Delivered: { state: 'Delivered', ...booked },
  Rejected: { state: 'Rejected', ...booked, reason: 'Out of stock' },
  Refused: { state: 'Refused' },
};

const save = { type: 'save', ...booked } as const;
const changed = { ...save, fingerprint: 'changed' };
const report = { type: 'report', reason: 'Vendor failed' } as const;
const reverse = { type: 'reverse', reason: 'Vendor failed' } as const;
const nothing = { events: [] };
const deducted = { events: [{ ...booked, type: 'deducted' }] };
const deductedChanged = { events: [{ ...changed, type: 'deducted' }] };
const delivered = { events: [{ type: 'delivered' }] };
const reversed = { events: [{ type: 'reversed', uid: 'ANN', points: 40, reason: 'Vendor failed' }] };
const timedOut = { events: [{ type: 'reversed', uid: 'ANN', points: 40, reason: 'Pending beyond the threshold' }] };
const pointsChanged = { events: [], failure: { kind: 'points_changed' } };
const conflict = { events: [], failure: { kind: 'redemption_conflict' } };
const unknown = { events: [], failure: { kind: 'unknown_redeem_code' } };
const marked = { ...unknown, events: [{ type: 'refused' }] };
const isDelivered = { events: [], failure: { kind: 'order_already_delivered' } };
const isRejected = { events: [], failure: { kind: 'order_already_rejected' } };

/** The balance covers the deduction exactly. The decisions are for the states in the order of `states`. */
test.each<[name: string, RedemptionCommand, decisions: readonly object[], points?: number]>([
  ['a save', save, [deducted, nothing, nothing, isRejected, isRejected]],
  ['a save beyond the balance', save, [pointsChanged, nothing, nothing, isRejected, isRejected], 39],
  ['a save of other values', changed, [deductedChanged, conflict, conflict, isRejected, isRejected]],
  ['a report of Pending', { ...report, status: 'Pending' }, [unknown, nothing, isDelivered, isRejected, unknown]],
  ['a report of Delivered', { ...report, status: 'Delivered' }, [unknown, delivered, nothing, isRejected, unknown]],
  ['a report of Rejected', { ...report, status: 'Rejected' }, [marked, reversed, isDelivered, nothing, unknown]],
  ['a reversal', { ...reverse, points: 40 }, [marked, reversed, isDelivered, nothing, unknown]],
  ['a reversal of other points', { ...reverse, points: 41 }, [marked, conflict, conflict, conflict, unknown]],
  ['a timeout', { type: 'timeout' }, [nothing, timedOut, nothing, nothing, nothing]],
])('OP-15, OP-21, OP-22, OP-23: the decision on %s, in each state', (_, command, decisions, points = 40) => {
  const made = Object.entries(states).map(([state, redemption]) => [state, decide(redemption, command, points)]);
  expect(made).toEqual(Object.keys(states).map((state, index) => [state, decisions[index]]));
});

test.each(['none', 'Delivered', 'Rejected', 'Refused'] as const)(
  'S3, S6: a redemption that is %s can be neither delivered nor reversed',
  (state) => {
    const message = `no pending redemption, but ${state}`;
    expect(() => evolve(states[state], { type: 'delivered' })).toThrow(message);
    expect(() => evolve(states[state], { type: 'reversed', points: 40, uid: 'ANN', reason: '' })).toThrow(message);
  },
);
