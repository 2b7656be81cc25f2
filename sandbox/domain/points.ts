/**
 * Points arithmetic (OP-08, OP-09, OP-46). Points and paise are whole numbers. A product of the two can exceed 2^53, so
 * it is calculated as a bigint.
 */

const numericText = /^(0|[1-9][0-9]{0,14})$/;
const amount = /^(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,2}))?$/;

/** Parses numeric text as a whole number. Returns `undefined` for any other text (OP-09). */
export function parseNumericText(text: string): number | undefined {
  return numericText.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** Parses an INR amount such as `2499.5` to paise. Returns `undefined` if the text is not an amount with at most two decimals. */
export function parseAmount(text: string): bigint | undefined {
  const match = amount.exec(text);
  if (match === null) return undefined;
  return BigInt(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
}

/**
 * Parses a price in INR with at most two decimals. Returns `undefined` if the text is not a price. The number is only
 * stored: calculations use its text, which is exact (OP-134).
 */
export function parsePrice(text: string): number | undefined {
  return parseAmount(text) === undefined ? undefined : Number(text);
}

/** Formats a price for a listing: as a whole number, or with two decimals (OP-134). */
export function priceText(priceInr: number): string {
  return Number.isInteger(priceInr) ? String(priceInr) : priceInr.toFixed(2);
}

/**
 * Maximum time by which a payment may be ahead of the sandbox clock, in milliseconds. This allows for clock differences
 * and time zones (OP-131).
 */
const mostAhead = 24 * 3600 * 1000;

/** Returns whether the time of a payment is too far in the future to be explained by clock differences (OP-131). */
export function isAhead(occurredAt: string, now: number): boolean {
  return Date.parse(occurredAt) > now + mostAhead;
}

/** Settings for the calculation of points. `point_value_inr` is an INR amount as decimal text. */
export interface PointsRules {
  readonly points_per_100_inr: number;
  readonly point_value_inr: string;
  readonly processing_fee_egv: number;
  readonly processing_fee_physical: number;
  readonly tds_percent: number;
  /**
   * The rounding of fractions of points (OP-46): `earned_rounding` for earned points, `price_rounding` for the points
   * of an item and its TDS.
   */
  readonly earned_rounding: Rounding;
  readonly price_rounding: Rounding;
}

type Rounding = 'down' | 'up' | 'nearest';

/** Returns the whole points earned by a payment. */
export function earnedPoints(
  paise: bigint,
  { points_per_100_inr, earned_rounding }: Pick<PointsRules, 'points_per_100_inr' | 'earned_rounding'>,
): number {
  return Number(divide(paise * BigInt(points_per_100_inr), 10_000n, earned_rounding));
}

/** The cost of an order line, in points. */
export interface LinePoints {
  readonly redeemPoints: number;
  readonly tdsSingleItem: number;
  readonly totalpoints: number;
  readonly processingFee: number;
  /** The points that the client deducts, and refunds on a rejection. */
  readonly totalPointWithProcessingFee: number;
}

/**
 * Returns the points of `quantity` units at `priceInr` each, including paise (OP-134). The points and the TDS of a unit
 * are rounded. The fee is per line.
 */
export function linePoints(
  line: { readonly product_type: 'EGV' | 'PHYSICAL'; readonly priceInr: number; readonly quantity: number },
  rules: PointsRules,
): LinePoints {
  const value = parseAmount(rules.point_value_inr);
  if (value === undefined || value === 0n)
    throw new RangeError(`point value ${rules.point_value_inr} is not greater than 0`);
  const price = parseAmount(priceText(line.priceInr));
  if (price === undefined) throw new RangeError(`${line.priceInr} is not a price`);
  const unit = Number(divide(price, value, rules.price_rounding));
  const tdsSingleItem = Number(divide(BigInt(unit) * BigInt(rules.tds_percent), 100n, rules.price_rounding));
  const redeemPoints = unit * line.quantity;
  const totalpoints = redeemPoints + tdsSingleItem * line.quantity;
  const processingFee = line.product_type === 'EGV' ? rules.processing_fee_egv : rules.processing_fee_physical;
  return {
    redeemPoints,
    tdsSingleItem,
    totalpoints,
    processingFee,
    totalPointWithProcessingFee: totalpoints + processingFee,
  };
}

/** Returns the TDS points of all units of a line. */
export function tdsPoints({ totalpoints, redeemPoints }: Pick<LinePoints, 'totalpoints' | 'redeemPoints'>): number {
  return totalpoints - redeemPoints;
}

/** The numeric fields of a redemption record, as text. */
type RecordPoints = Readonly<Record<keyof LinePoints | 'quantity', string>>;

/**
 * Returns the first incorrect total of a redemption record, with the correct sum (OP-08, OP-122). Returns `undefined`
 * if all totals are correct.
 */
export function wrongTotal(record: RecordPoints) {
  const totalpoints = BigInt(record.redeemPoints) + BigInt(record.tdsSingleItem) * BigInt(record.quantity);
  if (BigInt(record.totalpoints) !== totalpoints) return { field: 'totalpoints', sum: totalpoints } as const;
  const total = totalpoints + BigInt(record.processingFee);
  if (BigInt(record.totalPointWithProcessingFee) === total) return undefined;
  return { field: 'totalPointWithProcessingFee', sum: total } as const;
}

/** Divides and rounds to a whole number. `nearest` rounds half a point up. */
function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const added = { down: 0n, up: divisor - 1n, nearest: divisor / 2n }[rounding];
  return (dividend + added) / divisor;
}
