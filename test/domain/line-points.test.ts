import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linePoints, type PointsRules } from '../../sandbox/domain/points.ts';

const rules: PointsRules = {
  points_per_100_inr: 1,
  point_value_inr: '1',
  processing_fee_egv: 0,
  processing_fee_physical: 49,
  tds_percent: 0,
  earned_rounding: 'down',
  price_rounding: 'up',
};

describe('points of an order line (OP-08, OP-09, OP-46)', () => {
  const egv = { product_type: 'EGV', priceInr: 500, quantity: 2 } as const;
  const physical = { product_type: 'PHYSICAL', priceInr: 1499, quantity: 1 } as const;

  test('an e-gift line costs its points; the default fee is 0', () => {
    expect(linePoints(egv, rules)).toEqual({
      redeemPoints: 1000,
      tdsSingleItem: 0,
      totalpoints: 1000,
      processingFee: 0,
      totalPointWithProcessingFee: 1000,
    });
  });

  test('a physical line costs its points and the fee, once per line', () => {
    expect(linePoints({ ...physical, quantity: 3 }, rules)).toEqual({
      redeemPoints: 4497,
      tdsSingleItem: 0,
      totalpoints: 4497,
      processingFee: 49,
      totalPointWithProcessingFee: 4546,
    });
  });

  test('TDS points are computed for one item, rounded up, and deducted for each unit', () => {
    expect(linePoints({ ...physical, quantity: 3 }, { ...rules, tds_percent: 10 })).toEqual({
      redeemPoints: 4497,
      tdsSingleItem: 150,
      totalpoints: 4947,
      processingFee: 49,
      totalPointWithProcessingFee: 4996,
    });
  });

  test('a point worth 0.25 INR makes a product cost four times as many points', () => {
    const quarter = { ...rules, point_value_inr: '0.25', processing_fee_egv: 5, tds_percent: 1 };
    expect(linePoints({ ...egv, priceInr: 499 }, quarter)).toEqual({
      redeemPoints: 3992,
      tdsSingleItem: 20,
      totalpoints: 4032,
      processingFee: 5,
      totalPointWithProcessingFee: 4037,
    });
  });

  test.each([
    { priceInr: 1, point_value_inr: '3', unit: 1 },
    { priceInr: 100, point_value_inr: '3', unit: 34 },
    { priceInr: 99, point_value_inr: '3', unit: 33 },
    { priceInr: 1, point_value_inr: '0.01', unit: 100 },
    { priceInr: 1, point_value_inr: '0.03', unit: 34 },
    { priceInr: 1, point_value_inr: '999999.99', unit: 1 },
    { priceInr: 0, point_value_inr: '1', unit: 0 },
    { priceInr: 249.5, point_value_inr: '1', unit: 250 },
    { priceInr: 249.01, point_value_inr: '1', unit: 250 },
    { priceInr: 249.5, point_value_inr: '0.25', unit: 998 },
    { priceInr: 0.07, point_value_inr: '0.01', unit: 7 },
    { priceInr: 999_999_999.99, point_value_inr: '0.01', unit: 99_999_999_999 },
    { priceInr: 9_007_199_254_740, point_value_inr: '0.01', unit: 900_719_925_474_000 },
  ])(
    'OP-134: $priceInr INR at $point_value_inr INR a point are $unit points, rounded up',
    ({ unit, priceInr, point_value_inr }) => {
      const line = { product_type: 'EGV', priceInr, quantity: 1 } as const;
      expect(linePoints(line, { ...rules, point_value_inr }).redeemPoints).toBe(unit);
    },
  );

  test.each(['0', '0.00', '', 'free', '-1', '1.001'])(
    'a point value of %j is an error, not a price',
    (point_value_inr) => {
      expect(() => linePoints(egv, { ...rules, point_value_inr })).toThrow(RangeError);
    },
  );

  test('the totals add up under any rules: a reversal refunds exactly what was deducted', () => {
    const line = fc.record({
      product_type: fc.constantFrom('EGV' as const, 'PHYSICAL' as const),
      paise: fc.integer({ min: 0, max: 10 ** 11 }),
      quantity: fc.integer({ min: 1, max: 10 }),
    });
    const settings = fc.record({
      points_per_100_inr: fc.nat(1000),
      point_value_inr: fc.integer({ min: 1, max: 10 ** 8 }).map((paise) => (paise / 100).toFixed(2)),
      processing_fee_egv: fc.nat(1000),
      processing_fee_physical: fc.nat(1000),
      tds_percent: fc.nat(100),
    });
    fc.assert(
      fc.property(line, settings, ({ paise, ...line }, others) => {
        const rules: PointsRules = { ...others, earned_rounding: 'down', price_rounding: 'up' };
        const points = linePoints({ ...line, priceInr: paise / 100 }, rules);
        const unit = BigInt(points.redeemPoints) / BigInt(line.quantity);
        const value = BigInt(rules.point_value_inr.replace('.', ''));
        const price = BigInt(paise);
        expect(unit * value >= price && (unit - 1n) * value < price).toBe(true);
        expect(BigInt(points.tdsSingleItem)).toBe((unit * BigInt(rules.tds_percent) + 99n) / 100n);
        expect(points.totalpoints).toBe(points.redeemPoints + points.tdsSingleItem * line.quantity);
        expect(points.totalPointWithProcessingFee).toBe(points.totalpoints + points.processingFee);
        const { processing_fee_egv, processing_fee_physical } = rules;
        expect(points.processingFee).toBe(line.product_type === 'EGV' ? processing_fee_egv : processing_fee_physical);
      }),
    );
  });
});
