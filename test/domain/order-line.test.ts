/** Tests the decisions for a line that no order over HTTP reaches at will: late answers and impossible transitions. */
import { describe, expect, test } from 'vitest';
import type { OrderStatus } from '../../sandbox/domain/order.ts';
import {
  decideCancellation,
  decideFulfilment,
  decideReport,
  evolveLine,
  type LineDecision,
  type LineEvent,
  newLine,
} from '../../sandbox/domain/order-line.ts';

const done = { kind: 'done' } as const;
const nothing: LineDecision = { report: false, next: done };
const delivered = { kind: 'delivered', partnerCode: 'EGIFT', vouchers: [] } as const;

describe('G15, G16: a vendor answered (OP-51, OP-86)', () => {
  test.each(['Delivered', 'Rejected'] as const)('a line that is %s neither changes nor is reported again', (status) => {
    const line = { status, quantity: 2 };
    for (const answer of [delivered, { kind: 'rejected', reason: 'No' }, { kind: 'cancelled', remark: '' }] as const) {
      expect(decideFulfilment(line, answer, { tries: 0, stock: 9 })).toEqual(nothing);
    }
    expect(decideCancellation({ status, remark: '' }, 'Cancelled by the customer')).toEqual(nothing);
  });

  test('OP-86: a delivery of an item that was removed during the vendor call is rejected', () => {
    const event = { type: 'rejected', remark: 'Product no longer in the catalogue' };
    const decision = decideFulfilment({ status: 'Pending', quantity: 2 }, delivered, { tries: 0, stock: undefined });
    expect(decision).toEqual({ event, report: true, next: done });
  });
});

describe('the client refused a report (OP-21, OP-22, OP-24)', () => {
  const remark = 'Reversed by the client before the delivery was reported';
  const voided: LineDecision = { ...nothing, event: { type: 'voided', remark } };
  test.each<[status: OrderStatus, message: string, decision: LineDecision | 'retry']>([
    ['Delivered', 'Unknown redeemCode.', 'retry'],
    ['Rejected', 'Unknown redeemCode.', nothing],
    ['Delivered', 'Order already Rejected.', voided],
    ['Rejected', 'Order already Rejected.', 'retry'],
    ['Delivered', 'Order already Delivered.', 'retry'],
    ['Rejected', 'Order already Delivered.', 'retry'],
    ['Delivered', 'Not today.', 'retry'],
    ['Rejected', 'Not today.', 'retry'],
  ])('given %s, when %s', (status, message, decision) => {
    const retry = { report: false, next: { kind: 'retry', reason: message } };
    const expected = decision === 'retry' ? retry : decision;
    expect(decideReport({ status, held: true }, { kind: 'refused', message })).toEqual(expected);
  });
});

describe('S1, S4, S6: a line after an event', () => {
  const events: readonly LineEvent[] = [
    { type: 'delivered', partnerCode: 'EGIFT', vouchers: [], stock: 0 },
    { type: 'rejected', remark: 'No such brand' },
    { type: 'cancelled', remark: 'Cancelled by the company' },
    { type: 'acknowledged' },
    { type: 'voided', remark: 'Given back' },
  ];
  const possible: Readonly<Record<OrderStatus, readonly LineEvent['type'][]>> = {
    Pending: ['delivered', 'rejected', 'cancelled'],
    Delivered: ['acknowledged', 'voided'],
    Rejected: [],
  };

  test.each(Object.entries(possible))('a line that is %s can only be %j', (status, types) => {
    for (const event of events.filter(({ type }) => !types.includes(type))) {
      const change = () => evolveLine({ ...newLine, status: status as OrderStatus }, event);
      expect(change).toThrow(`a line that is ${status} cannot be ${event.type}`);
    }
  });
});
