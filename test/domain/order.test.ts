import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../sandbox/domain/failures.ts';
import {
  decide,
  evolve,
  failureOf,
  itemsOf,
  type Orderable,
  type OrderCommand,
  type OrderEvent,
  type OrderState,
  type OrderStatus,
  orderPoints,
  orderStatus,
  shortOf,
} from '../../sandbox/domain/order.ts';
import { linePoints } from '../../sandbox/domain/points.ts';

const P = 'Pending';
const D = 'Delivered';
const R = 'Rejected';

describe('status of an order (OP-06)', () => {
  test.each<[lines: OrderStatus[], order: OrderStatus]>([
    [[P], P],
    [[D], D],
    [[R], R],
    [[P, P], P],
    [[D, D], D],
    [[R, R], R],
    [[P, D], P],
    [[D, P], P],
    [[P, R], P],
    [[R, P], P],
    [[D, R], D],
    [[R, D], D],
    [[P, D, R], P],
    [[R, D, P], P],
    [[R, R, D], D],
    [[D, D, R], D],
  ])('lines %j make the order %s', (lines, order) => {
    expect(orderStatus(lines)).toBe(order);
  });
});

describe('points of an order (OP-06, OP-124)', () => {
  test('each number is the sum over the lines, and TDS is what lies between totalpoints and redeemPoints', () => {
    expect(
      orderPoints([
        { redeemPoints: 1000, totalpoints: 1010, processingFee: 0, totalPointWithProcessingFee: 1010 },
        { redeemPoints: 1499, totalpoints: 1574, processingFee: 49, totalPointWithProcessingFee: 1623 },
      ]),
    ).toEqual({ redeemPoints: 2499, tdsPoints: 85, processingFee: 49, totalPointWithProcessingFee: 2633 });
  });

  test('OP-124: redeemPoints, TDS and fee of any lines add up to totalPointWithProcessingFee', () => {
    const line = fc.record({
      product_type: fc.constantFrom('EGV' as const, 'PHYSICAL' as const),
      priceInr: fc.integer({ min: 1, max: 100_000 }),
      quantity: fc.integer({ min: 1, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.integer({ min: 0, max: 100 }), (lines, tds_percent) => {
        const rules = {
          points_per_100_inr: 1,
          point_value_inr: '0.3',
          processing_fee_egv: 3,
          processing_fee_physical: 49,
          earned_rounding: 'down',
          price_rounding: 'up',
        } as const;
        const sum = orderPoints(lines.map((each) => linePoints(each, { ...rules, tds_percent })));
        expect(sum.redeemPoints + sum.tdsPoints + sum.processingFee).toBe(sum.totalPointWithProcessingFee);
      }),
    );
  });

  test('an order without lines costs nothing', () => {
    expect(orderPoints([])).toEqual({
      redeemPoints: 0,
      tdsPoints: 0,
      processingFee: 0,
      totalPointWithProcessingFee: 0,
    });
  });
});

const yes: Answer = { kind: 'accepted', body: undefined };
const no: Extract<Answer, { kind: 'refused' }> = { kind: 'refused', message: 'User points have changed.' };
const silence: Extract<Answer, { kind: 'no_answer' }> = { kind: 'no_answer', reason: 'ECONNRESET' };

describe('what can be ordered (OP-05)', () => {
  const egv: Orderable = { status: 1, stock: 5, product_type: 'EGV' };
  const kettle: Orderable = { status: 1, stock: 5, product_type: 'PHYSICAL' };
  const line = (sku: string, quantity: number, item: Orderable | undefined) => ({ sku, quantity, item });

  test('items that are active and in stock, in the order of the lines', () => {
    expect(itemsOf([line('K', 1, kettle), line('E', 5, egv)], '12 Lake View Road')).toEqual([kettle, egv]);
  });

  test.each([
    ['an item that does not exist', [line('E', 1, egv), line('NONE', 1, undefined)], 'NONE'],
    ['an inactive item', [line('E', 1, { ...egv, status: 0 })], 'E'],
    ['an item that is being withdrawn', [line('E', 1, { ...egv, status: 2 })], 'E'],
    ['more than the stock', [line('E', 6, egv)], 'E'],
    ['more than the stock over several lines', [line('E', 3, egv), line('K', 1, kettle), line('E', 3, egv)], 'E'],
  ])('not %s', (_, lines, sku) => {
    expect(itemsOf(lines, undefined)).toEqual({ kind: 'product_not_available', sku });
  });

  test('a product needs an address, a voucher does not', () => {
    const problem = 'is required for a PHYSICAL item';
    const failure = { kind: 'invalid_request', where: '/shipping_address', problem };
    expect(itemsOf([line('E', 1, egv)], undefined)).toEqual([egv]);
    expect(itemsOf([line('E', 1, egv), line('K', 1, kettle)], undefined)).toEqual(failure);
  });

  test.each([
    [500, 501, undefined],
    [500, 500, undefined],
    [500, 499, { kind: 'insufficient_balance', needed: 500, available: 499 }],
  ])('needing %i of %i points gives %j', (needed, available, failure) => {
    expect(shortOf(needed, available)).toEqual(failure);
  });
});

const states: readonly OrderState[] = ['placing', 'placed', 'failed'];
const redeemCodes = ['RDM-1', 'RDM-2', 'RDM-3'];
const touched = ['RDM-1', 'RDM-2'];

/** Each command with its event for an order that is being placed. Other orders are not affected. */
const commands: Record<string, [OrderCommand, OrderEvent]> = {
  'all lines deducted': [
    { type: 'answered', answer: yes, touched: redeemCodes },
    { type: 'placed', fulfil: redeemCodes },
  ],
  'a line refused': [
    { type: 'answered', answer: no, touched },
    { type: 'failed', remark: 'Refused by the client: User points have changed.', report: touched },
  ],
  'no answer for a line': [
    { type: 'answered', answer: silence, touched },
    { type: 'failed', remark: 'No usable response from the client', report: touched },
  ],
  'cut off': [
    { type: 'cut_off' },
    { type: 'failed', remark: 'The order was interrupted before it was placed', report: redeemCodes },
  ],
};

describe('G13, G14: decide (OP-07, OP-23, OP-50)', () => {
  const rows = states.flatMap((state) =>
    Object.entries(commands).map(([name, [command, event]]) => ({ state, name, command, event })),
  );

  test.each(rows)('given $state, when $name', ({ state, command, event }) => {
    expect(decide({ state, redeemCodes }, command)).toEqual(state === 'placing' ? event : undefined);
  });
});

describe('evolve', () => {
  const events: readonly OrderEvent[] = [
    { type: 'placed', fulfil: redeemCodes },
    { type: 'failed', remark: 'Refused by the client: No.', report: [] },
  ];

  test.each(events)('placing becomes $type', (event) => {
    const order = { order_id: 'ORD-1', state: 'placing' as const, redeemCodes };
    expect(evolve(order, event)).toEqual({ ...order, state: event.type });
  });

  test.each((['placed', 'failed'] as const).flatMap((state) => events.map((event) => ({ state, event }))))(
    '$state cannot be $event.type',
    ({ state, event }) => {
      const change = () => evolve({ state, redeemCodes }, event);
      expect(change).toThrow(`no order that is being placed, but one that is ${state}`);
    },
  );
});

describe('why an order failed, for its caller (OP-05, OP-07)', () => {
  const refused = { kind: 'refused_by_client', message: 'User points have changed.' };

  test.each([
    [
      'a refusal while the points no longer suffice',
      no,
      300,
      { kind: 'insufficient_balance', needed: 500, available: 400 },
    ],
    ['a refusal while the points suffice, counting what was deducted', no, 400, refused],
    ['a refusal by a client that does not report its balance', no, undefined, refused],
    ['no answer, whatever the balance', silence, 0, { kind: 'client_no_answer', reason: silence.reason }],
    ['no answer', silence, undefined, { kind: 'client_no_answer', reason: silence.reason }],
  ])('%s', (_, answer, balance, failure) => {
    expect(failureOf(answer, 100, 500, balance)).toEqual(failure);
  });
});
