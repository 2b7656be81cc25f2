import type { Earning, Happening, PlacedOrder, PortalRedemption } from './portal-orders.ts';

type Redeemed = { readonly kind: 'redeemed'; readonly order: PlacedOrder; readonly line: PortalRedemption };
type Earned = { readonly kind: 'earned'; readonly earning: Earning };

/** One row of the history: a redemption or a payment, and the balance after it, if available. */
export type Row = { readonly left: number | undefined } & (Redeemed | Earned);

/** Rows of the history, newest first, and the balance before the oldest of them, if available. */
export interface Statement {
  readonly rows: readonly Row[];
  readonly left: number | undefined;
}

/**
 * Redemptions and payments, newest first, each with what was left after it: worked back from what was left after the
 * newest, undefined if that is not available. Refunded redemptions and pending credits change no balance (OP-185).
 */
export function statementOf(happened: readonly Happening[], balance: number | undefined): Statement {
  let left = balance;
  const rows = happened.flatMap(rowsOf).map((row) => {
    const shown = { ...row, left };
    if (left !== undefined) left -= changeOf(row);
    return shown;
  });
  return { rows, left };
}

function rowsOf(happened: Happening): (Redeemed | Earned)[] {
  if (happened.kind === 'earned') return [happened];
  const { kind, order } = happened;
  return order.lines.map((line) => ({ kind, order, line }));
}

/** What a row changed of the balance as it is now. */
function changeOf(row: Redeemed | Earned): number {
  if (row.kind === 'earned') return row.earning.credited ? row.earning.points : 0;
  return row.line.state === 'Reversed' ? 0 : -row.line.points.totalPointWithProcessingFee;
}
