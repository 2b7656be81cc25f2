/** Tests the points arithmetic (OP-08, OP-09, OP-46, OP-134). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  earnedPoints,
  linePoints,
  type PointsRules,
  parseAmount,
  parseNumericText,
} from '../../sandbox/domain/points.ts';

describe('numeric text (OP-09)', () => {
  test.each(
    ['', ' ', '00', '01', '-1', '-0', '+1', '1.0', '1.', '.5', '1e3', '0x10', '0b1', '1_000', '1,000', ' 1', '1 ']
      .concat(['1\n', '\n1', '1\u0000', '١', '１', '१', 'NaN', 'Infinity', 'null', 'true', '[1]', '1n'])
      .concat(['1000000000000000', '9'.repeat(16), '9'.repeat(10_000)]),
  )('%j is refused', (text) => {
    expect(parseNumericText(text)).toBeUndefined();
  });

  test('any whole number of up to 15 digits comes back exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (number) => {
        expect(parseNumericText(String(number))).toBe(number);
      }),
    );
  });
});

describe('amounts in INR (OP-09, OP-48)', () => {
  test.each(
    [
      '',
      '.',
      '.5',
      '1.',
      '1.234',
      '0.001',
      '00',
      '01',
      '01.5',
      '-1',
      '+1',
      '1e2',
      '1,5',
      '1,000',
      '1 000',
      ' 1',
      '1 ',
    ].concat(['1.5\n', '\n1', '₹1', 'INR 1', '1.5.5', '１', '0x1', 'NaN', '10000000000000', '9'.repeat(10_000)]),
  )('%j is refused', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  test('any number of paise comes back exactly, also without trailing zeros', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (paise) => {
        const text = `${paise / 100n}.${String(paise % 100n).padStart(2, '0')}`;
        expect([text, text.replace(/0$/, ''), text.replace(/\.?0+$/, '')].map(parseAmount)).toEqual([
          paise,
          paise,
          paise,
        ]);
      }),
    );
  });
});

test('OP-46: the earned points are at most the exact fraction, and less than one point below it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 0, max: 1000 }), (paise, per100) => {
      const earned = BigInt(earnedPoints(paise, { points_per_100_inr: per100, earned_rounding: 'down' }));
      const exact = paise * BigInt(per100);
      expect(earned * 10_000n <= exact && exact < (earned + 1n) * 10_000n).toBe(true);
    }),
  );
});

describe('points of an order line (OP-08, OP-09, OP-46)', () => {
  const rounding = { earned_rounding: 'down', price_rounding: 'up' } as const;
  const free = { points_per_100_inr: 1, processing_fee_egv: 0, processing_fee_physical: 49, tds_percent: 0 };

  test.each([
    { priceInr: 1, point_value_inr: '999999.99', unit: 1 },
    { priceInr: 0, point_value_inr: '1', unit: 0 },
    { priceInr: 249.01, point_value_inr: '1', unit: 250 },
    { priceInr: 0.07, point_value_inr: '0.01', unit: 7 },
    { priceInr: 9_007_199_254_740, point_value_inr: '0.01', unit: 900_719_925_474_000 },
  ])(
    'OP-134: $priceInr INR at $point_value_inr INR a point are $unit points',
    ({ unit, priceInr, point_value_inr }) => {
      const rules = { ...free, ...rounding, point_value_inr };
      expect(linePoints({ product_type: 'EGV', priceInr, quantity: 1 }, rules).redeemPoints).toBe(unit);
    },
  );

  test.each(['0', '0.00', '', 'free', '-1', '1.001'])('a point value of %j is an error, not a price', (value) => {
    const rules = { ...free, ...rounding, point_value_inr: value };
    expect(() => linePoints({ product_type: 'EGV', priceInr: 500, quantity: 2 }, rules)).toThrow(RangeError);
  });

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
        const rules: PointsRules = { ...others, ...rounding };
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
