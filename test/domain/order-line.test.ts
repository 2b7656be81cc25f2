/** Tests the complete decision table of a line: the event, the report and the next step for each state and vendor or client answer. */
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../sandbox/domain/failures.ts';
import type { OrderState, OrderStatus } from '../../sandbox/domain/order.ts';
import {
  cancellable,
  cancellationRemark,
  decideCancellation,
  decideFulfilment,
  decideReport,
  evolveLine,
  type LineDecision,
  type LineEvent,
  newLine,
  removedItem,
  type VendorAnswer,
} from '../../sandbox/domain/order-line.ts';

const statuses = ['Pending', 'Delivered', 'Rejected'] as const satisfies OrderStatus[];
const done = { kind: 'done' } as const;
const nothing: LineDecision = { report: false, next: done };
const rejected = (remark: string): LineDecision => ({ event: { type: 'rejected', remark }, report: true, next: done });
const cancelled = (remark: string): LineDecision => ({
  event: { type: 'cancelled', remark },
  report: true,
  next: done,
});

describe('G15, G16: a vendor answered (OP-51, OP-86)', () => {
  const voucher = { voucherCode: 'AAAA', pin: null };
  const answers = {
    delivered: { kind: 'delivered', partnerCode: 'EGIFT', vouchers: [voucher] },
    rejected: { kind: 'rejected', reason: 'No such brand' },
    removed: removedItem,
    failed: { kind: 'failed', reason: 'The vendor failed' },
    silent: { kind: 'silent' },
    cancelled: { kind: 'cancelled', remark: 'Cancelled by the customer' },
  } as const satisfies Record<string, VendorAnswer>;
  /** Stock levels for an order of two units. */
  const stocks = { plenty: 9, exact: 2, short: 1, removed: undefined };
  const tries = { first: 0, fourth: 3, fifth: 4 };
  type Name = keyof typeof answers;
  type Stock = keyof typeof stocks;
  type Try = keyof typeof tries;

  const delivered = (stock: number): LineDecision => ({
    event: { type: 'delivered', partnerCode: 'EGIFT', vouchers: [voucher], stock },
    report: true,
    next: done,
  });
  const again: LineDecision = { report: false, next: { kind: 'again', milliseconds: 5_000 } };
  const byStock: Record<Stock, LineDecision> = {
    plenty: delivered(7),
    exact: delivered(0),
    short: rejected('Product out of stock'),
    removed: rejected('Product no longer in the catalogue'),
  };
  const byTry: Record<Try, LineDecision> = { first: again, fourth: again, fifth: rejected('The vendor failed') };
  /** The decisions for a pending line. A final line neither changes nor is reported again. */
  const pending: Record<Name, (stock: Stock, tried: Try) => LineDecision> = {
    delivered: (stock) => byStock[stock],
    rejected: () => rejected('No such brand'),
    removed: () => rejected('Product no longer in the catalogue'),
    failed: (_, tried) => byTry[tried],
    silent: () => nothing,
    cancelled: () => cancelled('Cancelled by the customer'),
  };
  const rows = statuses.flatMap((status) =>
    (Object.keys(answers) as Name[]).flatMap((answer) =>
      (Object.keys(stocks) as Stock[]).flatMap((stock) =>
        (Object.keys(tries) as Try[]).map((tried) => ({ status, answer, stock, tried })),
      ),
    ),
  );

  test('the table has a row for each status, answer, stock and try', () => {
    expect(rows).toHaveLength(3 * 6 * 4 * 3);
  });

  test.each(rows)('$status, $answer, stock $stock, $tried try', ({ status, answer, stock, tried }) => {
    const decision = decideFulfilment({ status, quantity: 2 }, answers[answer], {
      tries: tries[tried],
      stock: stocks[stock],
    });
    expect(decision).toEqual(status === 'Pending' ? pending[answer](stock, tried) : nothing);
  });
});

describe('the client answered a report (OP-21, OP-22, OP-24)', () => {
  const retry = (reason: string): LineDecision => ({ report: false, next: { kind: 'retry', reason } });
  const refused = (message: string): Answer => ({ kind: 'refused', message });
  const voided: LineDecision = {
    event: { type: 'voided', remark: 'Reversed by the client before the delivery was reported' },
    report: false,
    next: done,
  };
  const table: readonly [Answer, Record<OrderStatus, LineDecision>][] = [
    [
      { kind: 'accepted', body: {} },
      { Pending: nothing, Delivered: nothing, Rejected: nothing },
    ],
    [
      { kind: 'no_answer', reason: 'ECONNRESET' },
      { Pending: retry('ECONNRESET'), Delivered: retry('ECONNRESET'), Rejected: retry('ECONNRESET') },
    ],
    [
      refused('Unknown redeemCode.'),
      { Pending: retry('Unknown redeemCode.'), Delivered: retry('Unknown redeemCode.'), Rejected: nothing },
    ],
    [
      refused('Order already Rejected.'),
      { Pending: retry('Order already Rejected.'), Delivered: voided, Rejected: retry('Order already Rejected.') },
    ],
    [
      refused('Order already Delivered.'),
      {
        Pending: retry('Order already Delivered.'),
        Delivered: retry('Order already Delivered.'),
        Rejected: retry('Order already Delivered.'),
      },
    ],
    [
      refused('Not today.'),
      { Pending: retry('Not today.'), Delivered: retry('Not today.'), Rejected: retry('Not today.') },
    ],
  ];
  const rows = table.flatMap(([answer, decisions]) =>
    statuses.map((status) => ({ status, answer, decision: decisions[status] })),
  );

  test.each(rows)('given $status, when $answer', ({ status, answer, decision }) => {
    expect(decideReport({ status }, answer)).toEqual(decision);
  });

  test('OP-121: a held delivery is acknowledged only when the client accepts its report', () => {
    const line = { status: 'Delivered', held: true } as const;
    const acknowledged = { event: { type: 'acknowledged' }, report: false, next: done };
    expect(decideReport(line, { kind: 'accepted', body: {} })).toEqual(acknowledged);
    expect(decideReport(line, { kind: 'no_answer', reason: 'ECONNRESET' })).toEqual(retry('ECONNRESET'));
    expect(decideReport(line, refused('Not today.'))).toEqual(retry('Not today.'));
    expect(decideReport(line, refused('Order already Rejected.'))).toEqual(voided);
  });
});

describe('somebody cancels a line (OP-127, OP-129)', () => {
  const orders = ['placing', 'placed', 'failed'] as const satisfies OrderState[];

  test.each(orders)('a final line stays, and a cancelled line counts as done, in an order that is %s', (order) => {
    expect(cancellable({ status: 'Delivered', remark: '', held: true }, order)).toBe('delivered');
    expect(cancellable({ status: 'Delivered', remark: '', held: false }, order)).toBe('delivered');
    expect(cancellable({ status: 'Rejected', remark: 'No such brand' }, order)).toBe('rejected');
    expect(cancellable({ status: 'Rejected', remark: 'Cancelled by the company', cancelled: true }, order)).toBe(
      'done',
    );
  });

  test('the platform asks the vendor to cancel a Pending line once the order is placed', () => {
    expect(orders.map((order) => cancellable(newLine, order))).toEqual(['placing', 'ask_vendor', 'placing']);
  });

  test('with the vendor’s consent a pending line is rejected and reported; a line that became final meanwhile stays', () => {
    expect(decideCancellation(newLine, 'Cancelled by the customer')).toEqual(cancelled('Cancelled by the customer'));
    for (const status of ['Delivered', 'Rejected'] as const) {
      expect(decideCancellation({ status, remark: '' }, 'Cancelled by the customer')).toEqual(nothing);
    }
  });

  test('the remark says who cancelled, and why if a reason was given', () => {
    expect(cancellationRemark({ by: 'customer', reason: '' })).toBe('Cancelled by the customer');
    expect(cancellationRemark({ by: 'company', reason: 'Ordered twice' })).toBe(
      'Cancelled by the company: Ordered twice',
    );
  });
});

describe('S1, S4, S6: a line after an event', () => {
  const events = {
    delivered: { type: 'delivered', partnerCode: 'EGIFT', vouchers: [], stock: 0 },
    rejected: { type: 'rejected', remark: 'No such brand' },
    cancelled: { type: 'cancelled', remark: 'Cancelled by the company' },
    acknowledged: { type: 'acknowledged' },
    voided: { type: 'voided', remark: 'Given back' },
  } as const satisfies Record<LineEvent['type'], LineEvent>;
  const after: Record<OrderStatus, Partial<Record<LineEvent['type'], object>>> = {
    Pending: {
      delivered: { status: 'Delivered', remark: '', held: true },
      rejected: { status: 'Rejected', remark: 'No such brand' },
      cancelled: { status: 'Rejected', remark: 'Cancelled by the company', cancelled: true },
    },
    Delivered: {
      acknowledged: { status: 'Delivered', remark: '', held: false },
      voided: { status: 'Rejected', remark: 'Given back', held: false },
    },
    Rejected: {},
  };
  const rows = statuses.flatMap((status) =>
    (Object.keys(events) as LineEvent['type'][]).map((type) => ({ status, type, line: after[status][type] })),
  );

  test('begins as Pending without a remark', () => {
    expect(newLine).toEqual({ status: 'Pending', remark: '' });
  });

  test.each(rows.filter(({ line }) => line !== undefined))(
    '$status becomes $line when $type',
    ({ status, type, line }) => {
      const before = { redeemCode: 'RDM-1', status, remark: '' };
      expect(evolveLine(before, events[type])).toEqual({ redeemCode: 'RDM-1', ...line });
    },
  );

  test.each(rows.filter(({ line }) => line === undefined))('$status cannot be $type', ({ status, type }) => {
    const change = () => evolveLine({ status, remark: '' }, events[type]);
    expect(change).toThrow(`a line that is ${status} cannot be ${type}`);
  });
});
