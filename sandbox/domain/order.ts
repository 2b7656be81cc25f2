/** What an order is worth and how it stands, worked out from its lines (OP-06). */

export type OrderStatus = 'Pending' | 'Delivered' | 'Rejected';

/** Delivered when all lines are, Rejected when all are, Pending while any is, else Delivered with rejected lines shown. */
export function orderStatus(lines: readonly OrderStatus[]): OrderStatus {
  if (lines.includes('Pending')) return 'Pending';
  return lines.every((status) => status === 'Rejected') ? 'Rejected' : 'Delivered';
}

export interface OrderPoints {
  readonly redeemPoints: number;
  readonly processingFee: number;
  readonly totalPointWithProcessingFee: number;
}

/** The sum over the lines of an order. */
export function orderPoints(lines: readonly OrderPoints[]): OrderPoints {
  const sum = (pick: (line: OrderPoints) => number) => lines.reduce((total, line) => total + pick(line), 0);
  return {
    redeemPoints: sum((line) => line.redeemPoints),
    processingFee: sum((line) => line.processingFee),
    totalPointWithProcessingFee: sum((line) => line.totalPointWithProcessingFee),
  };
}
