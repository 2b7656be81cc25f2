import { describe, expect, test } from 'vitest';
import { type OrderStatus, orderPoints, orderStatus } from '../../sandbox/domain/order.ts';

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

describe('points of an order (OP-06)', () => {
  test('each number is the sum over the lines', () => {
    expect(
      orderPoints([
        { redeemPoints: 1000, processingFee: 0, totalPointWithProcessingFee: 1010 },
        { redeemPoints: 1499, processingFee: 49, totalPointWithProcessingFee: 1548 },
      ]),
    ).toEqual({ redeemPoints: 2499, processingFee: 49, totalPointWithProcessingFee: 2558 });
  });

  test('what a line carries beside its points is left out', () => {
    const line = { redeemPoints: 5, processingFee: 1, totalPointWithProcessingFee: 6, totalpoints: 5 };
    expect(orderPoints([line])).toEqual({ redeemPoints: 5, processingFee: 1, totalPointWithProcessingFee: 6 });
  });

  test('an order without lines costs nothing', () => {
    expect(orderPoints([])).toEqual({ redeemPoints: 0, processingFee: 0, totalPointWithProcessingFee: 0 });
  });
});
