import type { Earning, PlacedOrder, PortalRedemption } from './portal-orders.ts';

/** One row of the history: a redemption or a payment, and what was left after it, where that is known. */
export type Row = { readonly left: number | undefined } & (
  | { readonly kind: 'redeemed'; readonly order: PlacedOrder; readonly line: PortalRedemption }
  | { readonly kind: 'earned'; readonly earning: Earning }
);

type Happened = { readonly at: string | null; readonly seq: number };

/**
 * Redemptions and payments together, newest first, each with what was left after it: worked back from the balance now,
 * undefined where that is not known. What was given back, or is not credited yet, changes no balance (OP-185).
 */
export function statementOf(
  orders: readonly PlacedOrder[],
  earned: readonly Earning[],
  balance: number | undefined,
): Row[] {
  const rows = [
    ...orders.flatMap((order) => order.lines.map((line) => ({ kind: 'redeemed', order, line }) as const)),
    ...earned.map((earning) => ({ kind: 'earned', earning }) as const),
  ].toSorted((one, other) => newestFirst(happened(one), happened(other)));
  let left = balance;
  return rows.map((row) => {
    const shown = { ...row, left };
    if (left !== undefined) left -= changeOf(row);
    return shown;
  });
}

type Unbalanced = Parameters<typeof changeOf>[0];

const happened = (row: Unbalanced): Happened => (row.kind === 'earned' ? row.earning : row.order);

function newestFirst(one: Happened, other: Happened): number {
  const [a, b] = [one.at ?? '', other.at ?? ''];
  if (a !== b) return a < b ? 1 : -1;
  return other.seq - one.seq;
}

/** What a row changed of the balance as it is now. */
function changeOf(
  row: { kind: 'redeemed'; order: PlacedOrder; line: PortalRedemption } | { kind: 'earned'; earning: Earning },
): number {
  if (row.kind === 'earned') return row.earning.credited ? row.earning.points : 0;
  return row.line.state === 'Reversed' ? 0 : -row.line.points.totalPointWithProcessingFee;
}
