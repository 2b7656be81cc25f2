/** Tests the decisions for an order. test/platform tests which orders the platform accepts, and their points. */
import { describe, expect, test } from 'vitest';
import type { Answer, NotAccepted } from '../../sandbox/domain/failures.ts';
import {
  decide,
  evolve,
  failureOf,
  type OrderState,
  type OrderStatus,
  orderStatus,
  recordDeduction,
} from '../../sandbox/domain/order.ts';

test.each<[lines: OrderStatus[], order: OrderStatus]>([
  [['Pending'], 'Pending'],
  [['Delivered'], 'Delivered'],
  [['Rejected'], 'Rejected'],
  [['Delivered', 'Pending'], 'Pending'],
  [['Rejected', 'Pending'], 'Pending'],
  [['Rejected', 'Delivered'], 'Delivered'],
  [['Rejected', 'Delivered', 'Pending'], 'Pending'],
])('OP-06: lines %j make the order %s', (lines, order) => {
  expect(orderStatus(lines)).toBe(order);
});

const yes: Answer = { kind: 'accepted', body: undefined };
const no: NotAccepted = { kind: 'refused', message: 'User points have changed.' };
const silence: NotAccepted = { kind: 'no_answer', reason: 'ECONNRESET' };
const notSent: NotAccepted = { kind: 'no_answer', reason: 'the sandbox is stopping', ours: 'not_sent' };
const brokenOff: NotAccepted = { kind: 'no_answer', reason: 'the sandbox is stopping', ours: 'broken_off' };

test.each([
  ['an immediate yes is deducted', yes, 1, ['RDM-1', 'RDM-2'], 140],
  ['a yes after no answer is deducted', yes, 3, ['RDM-1', 'RDM-2'], 140],
  ['an immediate no has touched nothing', no, 1, ['RDM-1'], 100],
  ['a no after no answer may have touched the line', no, 2, ['RDM-1', 'RDM-2'], 100],
  ['no answer may have touched the line', silence, 3, ['RDM-1', 'RDM-2'], 100],
  ['a call that was not sent has touched nothing', notSent, 1, ['RDM-1'], 100],
  ['a call that was not sent after no answer may have touched the line', notSent, 2, ['RDM-1', 'RDM-2'], 100],
  ['a call that was aborted may have touched the line', brokenOff, 1, ['RDM-1', 'RDM-2'], 100],
])('OP-07, OP-23: %s', (_, answer, tries, touched, deducted) => {
  const before = { answer: yes, touched: ['RDM-1'], deducted: 100 };
  expect(recordDeduction(before, { redeemCode: 'RDM-2', points: 40 }, answer, tries)).toEqual({
    answer,
    touched,
    deducted,
  });
});

describe('G13, G14: only an order that is being placed changes (OP-07, OP-23, OP-50)', () => {
  const redeemCodes = ['RDM-1', 'RDM-2', 'RDM-3'];
  const cutOff = 'The order was interrupted before it was placed';

  test('a cut-off order fails, and every line is reported', () => {
    const event = { type: 'failed', remark: cutOff, report: redeemCodes };
    expect(decide({ state: 'placing', redeemCodes }, { type: 'cut_off' })).toEqual(event);
    const stopped = decide({ state: 'placing', redeemCodes }, { type: 'answered', answer: brokenOff, touched: [] });
    expect(stopped).toEqual({ type: 'failed', remark: cutOff, report: [] });
  });

  test.each(['placed', 'failed'] as const satisfies OrderState[])('an order that is %s stays', (state) => {
    const order = { state, redeemCodes };
    expect(decide(order, { type: 'answered', answer: yes, touched: redeemCodes })).toBeUndefined();
    expect(decide(order, { type: 'cut_off' })).toBeUndefined();
    const message = `no order that is being placed, but one that is ${state}`;
    expect(() => evolve(order, { type: 'placed', fulfil: redeemCodes })).toThrow(message);
  });
});

const refused = { kind: 'refused_by_client', message: 'User points have changed.' };
const unanswered = { kind: 'client_no_answer', reason: 'ECONNRESET' };

test.each([
  [
    'a refusal while the points no longer suffice',
    no,
    300,
    { kind: 'insufficient_balance', needed: 500, available: 400 },
  ],
  ['a refusal while the points suffice, counting what was deducted', no, 400, refused],
  ['a refusal by a client that does not report its balance', no, undefined, refused],
  ['no answer, whatever the balance', silence, 0, unanswered],
])('OP-05, OP-07: the caller learns of %s', (_, answer, balance, failure) => {
  expect(failureOf(answer, 100, 500, balance)).toEqual(failure);
});
