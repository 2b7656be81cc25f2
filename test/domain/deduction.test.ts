/** Tests the client's deductions for an order. Covers each answer to each attempt, with the resulting failure and remark. */
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../sandbox/domain/failures.ts';
import { asksAgain, clientSaysNo, noDeductions, recordDeduction, remarkOf } from '../../sandbox/domain/order.ts';

const yes: Answer = { kind: 'accepted', body: undefined };
const no: Answer = { kind: 'refused', message: 'User points have changed.' };
const silence: Answer = { kind: 'no_answer', reason: 'ECONNRESET' };
const notSent: Answer = { kind: 'no_answer', reason: 'the sandbox is stopping', ours: 'not_sent' };
const brokenOff: Answer = { kind: 'no_answer', reason: 'the sandbox is stopping', ours: 'broken_off' };

test.each([
  [yes, [false, false, false]],
  [no, [false, false, false]],
  [silence, [true, true, false]],
  [notSent, [false, false, false]],
  [brokenOff, [false, false, false]],
])('OP-24: after %j at the first, second and third try the platform retries: %j', (answer, again) => {
  expect([1, 2, 3].map((tries) => asksAgain(answer, tries))).toEqual(again);
});

describe('recording deductions (OP-07, OP-23)', () => {
  const line = { redeemCode: 'RDM-2', points: 40 };
  const before = { answer: yes, touched: ['RDM-1'], deducted: 100 };

  test.each([
    ['an immediate yes is deducted', yes, 1, ['RDM-1', 'RDM-2'], 140],
    ['a yes after no answer is deducted', yes, 3, ['RDM-1', 'RDM-2'], 140],
    ['an immediate no has touched nothing', no, 1, ['RDM-1'], 100],
    ['a no after no answer may have touched the line', no, 2, ['RDM-1', 'RDM-2'], 100],
    ['no answer may have touched the line', silence, 3, ['RDM-1', 'RDM-2'], 100],
    ['a call that was not sent has touched nothing', notSent, 1, ['RDM-1'], 100],
    ['a call that was not sent after no answer may have touched the line', notSent, 2, ['RDM-1', 'RDM-2'], 100],
    ['a call that was aborted may have touched the line', brokenOff, 1, ['RDM-1', 'RDM-2'], 100],
  ])('%s', (_, answer, tries, touched, points) => {
    expect(recordDeduction(before, line, answer, tries)).toEqual({ answer, touched, deducted: points });
  });

  test('before the first line nothing is touched and nothing blocks the order', () => {
    expect(noDeductions).toEqual({ answer: yes, touched: [], deducted: 0 });
  });
});

test.each([
  [
    no,
    { kind: 'refused_by_client', message: 'User points have changed.' },
    'Refused by the client: User points have changed.',
  ],
  [silence, { kind: 'client_no_answer', reason: silence.reason }, 'No usable response from the client'],
  [
    notSent,
    { kind: 'client_no_answer', reason: notSent.reason, ours: 'not_sent' },
    'The order was interrupted before it was placed',
  ],
  [
    brokenOff,
    { kind: 'client_no_answer', reason: brokenOff.reason, ours: 'broken_off' },
    'The order was interrupted before it was placed',
  ],
] as const)('%j determines the failure for the caller and the remark of the lines', (answer, failure, remark) => {
  expect([clientSaysNo(answer), remarkOf(answer)]).toEqual([failure, remark]);
});
