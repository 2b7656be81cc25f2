import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { earnedPoints, parseAmount, parseNumericText } from '../../sandbox/domain/points.ts';

describe('numeric text (OP-09)', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['10', 10],
    ['999', 999],
    ['123456789012345', 123_456_789_012_345],
    ['999999999999999', 999_999_999_999_999],
  ])('%j is the whole number %d', (text, number) => {
    expect(parseNumericText(text)).toBe(number);
  });

  test.each(
    ['', ' ', '00', '01', '-1', '-0', '+1', '1.0', '1.', '.5', '1e3', '0x10', '0b1', '1_000', '1,000', ' 1', '1 ']
      .concat(['1\n', '\n1', '1\u0000', '١', '１', '१', 'NaN', 'Infinity', 'null', 'true', '[1]', '1n'])
      .concat(['1000000000000000', '9'.repeat(16), '9'.repeat(10_000)]),
  )('%j is refused', (text) => {
    expect(parseNumericText(text)).toBeUndefined();
  });

  test('any whole number of up to 15 digits comes back exactly, and no other text is a number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (number) => {
        expect(parseNumericText(String(number))).toBe(number);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const number = parseNumericText(text);
        if (number !== undefined) expect(String(number)).toBe(text);
      }),
    );
  });
});

describe('amounts in INR (OP-09, OP-48)', () => {
  test.each([
    ['0', 0n],
    ['0.0', 0n],
    ['0.00', 0n],
    ['0.01', 1n],
    ['0.1', 10n],
    ['0.10', 10n],
    ['1', 100n],
    ['2499.5', 249_950n],
    ['2499.50', 249_950n],
    ['9007199254740.93', 900_719_925_474_093n],
    ['9999999999999.99', 999_999_999_999_999n],
  ])('%j is %d paise', (text, paise) => {
    expect(parseAmount(text)).toBe(paise);
  });

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

  test('any number of paise comes back exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (paise) => {
        const text = `${paise / 100n}.${String(paise % 100n).padStart(2, '0')}`;
        expect(parseAmount(text)).toBe(paise);
      }),
    );
  });
});

describe('points earned (OP-09, OP-46)', () => {
  test.each([
    { amount: '0', per100: 1, points: 0 },
    { amount: '99.99', per100: 1, points: 0 },
    { amount: '100', per100: 1, points: 1 },
    { amount: '199.99', per100: 1, points: 1 },
    { amount: '2499.50', per100: 1, points: 24 },
    { amount: '2499.50', per100: 4, points: 99 },
    { amount: '2500', per100: 0, points: 0 },
    { amount: '0.01', per100: 10_000, points: 1 },
    { amount: '0.29', per100: 100, points: 0 },
    { amount: '1.15', per100: 100, points: 1 },
    { amount: '9999999999999.99', per100: 100, points: 9_999_999_999_999 },
    // Floating-point arithmetic would yield one point more.
    { amount: '9999999999910.01', per100: 999, points: 99_899_999_999_100 },
  ])('$amount INR at $per100 points per 100 INR earn $points, rounded down', ({ amount, per100, points }) => {
    expect(earnedPoints(parseAmount(amount) ?? -1n, { points_per_100_inr: per100, earned_rounding: 'down' })).toBe(
      points,
    );
  });

  test('the earned points are at most the exact fraction, and less than one point below it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 0, max: 1000 }), (paise, per100) => {
        const earned = BigInt(earnedPoints(paise, { points_per_100_inr: per100, earned_rounding: 'down' }));
        const exact = paise * BigInt(per100);
        expect(earned * 10_000n <= exact && exact < (earned + 1n) * 10_000n).toBe(true);
      }),
    );
  });
});
