/**
 * Points arithmetic (OP-08, OP-09, OP-46). Points are whole numbers; money is paise, whole numbers too. Products of the
 * two can pass 2^53, so they are calculated as bigint.
 */

const numericText = /^(0|[1-9][0-9]{0,14})$/;
const amount = /^(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,2}))?$/;

/** The whole number that a numeric text represents, or undefined for any other text (OP-09). */
export function parseNumericText(text: string): number | undefined {
  return numericText.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** Paise of an INR amount such as `2499.5`, or undefined when the text is not an amount with at most two decimals. */
export function parseAmount(text: string): bigint | undefined {
  const match = amount.exec(text);
  if (match === null) return undefined;
  return BigInt(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
}

/**
 * A price in INR, with at most two decimals, from its text; undefined if the text is not a price. It is stored as a number and
 * never reckoned with: its text says exactly what it is (OP-134).
 */
export function parsePrice(text: string): number | undefined {
  return parseAmount(text) === undefined ? undefined : Number(text);
}

/** A price as it is listed: whole, or with both decimals (OP-134). */
export function priceText(priceInr: number): string {
  return Number.isInteger(priceInr) ? String(priceInr) : priceInr.toFixed(2);
}

/** Milliseconds that a payment may be ahead of our clock: other clocks differ, and so do time zones (OP-131). */
const mostAhead = 24 * 3600 * 1000;

/** Whether a payment says of itself that it happens later than our clocks can explain (OP-131). */
export function isAhead(occurredAt: string, now: number): boolean {
  return Date.parse(occurredAt) > now + mostAhead;
}

/** Settings that decide about points. `pointValueInr` is INR as decimal text. */
export interface PointsRules {
  readonly points_per_100_inr: number;
  readonly point_value_inr: string;
  readonly processing_fee_egv: number;
  readonly processing_fee_physical: number;
  readonly tds_percent: number;
  /** Which whole number a fraction of a point counts as (OP-46): of points earned, and of the points of an item and its TDS. */
  readonly earned_rounding: Rounding;
  readonly price_rounding: Rounding;
}

type Rounding = 'down' | 'up' | 'nearest';

/** Points earned by a payment: whole points for the paise paid. */
export function earnedPoints(
  paise: bigint,
  { points_per_100_inr, earned_rounding }: Pick<PointsRules, 'points_per_100_inr' | 'earned_rounding'>,
): number {
  return Number(divide(paise * BigInt(points_per_100_inr), 10_000n, earned_rounding));
}

/** What one order line costs, in points. */
export interface LinePoints {
  readonly redeemPoints: number;
  readonly tdsSingleItem: number;
  readonly totalpoints: number;
  readonly processingFee: number;
  /** What the client deducts, and credits back on a rejection. */
  readonly totalPointWithProcessingFee: number;
}

/**
 * The points of `quantity` units that cost `priceInr` each, paise included (OP-134): unit points and TDS are rounded, the fee is per line.
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

/** The TDS points of all units of a line. */
export function tdsPoints({ totalpoints, redeemPoints }: Pick<LinePoints, 'totalpoints' | 'redeemPoints'>): number {
  return totalpoints - redeemPoints;
}

/** The numbers of a redemption record, as text. */
type RecordPoints = Readonly<
  Record<
    'redeemPoints' | 'tdsSingleItem' | 'quantity' | 'totalpoints' | 'processingFee' | 'totalPointWithProcessingFee',
    string
  >
>;

/** The first total of a redemption record that its parts do not add up to, and what they do (OP-08, OP-122). */
export function wrongTotal(
  record: RecordPoints,
): { readonly field: 'totalpoints' | 'totalPointWithProcessingFee'; readonly sum: bigint } | undefined {
  const totalpoints = BigInt(record.redeemPoints) + BigInt(record.tdsSingleItem) * BigInt(record.quantity);
  if (BigInt(record.totalpoints) !== totalpoints) return { field: 'totalpoints', sum: totalpoints };
  const total = totalpoints + BigInt(record.processingFee);
  if (BigInt(record.totalPointWithProcessingFee) === total) return undefined;
  return { field: 'totalPointWithProcessingFee', sum: total };
}

/** A quotient as a whole number; `nearest` rounds half a point up. */
function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const added = { down: 0n, up: divisor - 1n, nearest: divisor / 2n }[rounding];
  return (dividend + added) / divisor;
}
