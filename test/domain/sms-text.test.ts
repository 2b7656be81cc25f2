/** Tests finding the one-time code in a message of any wording (OP-166). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeIn } from '../../sandbox/domain/otp.ts';

describe('OP-166: the only run of four to eight digits that stands by itself is the code', () => {
  it.each([
    ['the words of the reference client', '493027 is your one-time password. It is valid for 5 minutes.', '493027'],
    ['right behind a colon', 'Your OTP:493027', '493027'],
    ['right before a full stop and the next sentence', 'Your code is 493027.Do not share it.', '493027'],
    ['in brackets', 'Verification code (4930)', '4930'],
    ['of eight digits', 'Your passcode is 12345678', '12345678'],
    ['next to an amount with a decimal point', 'OTP 4930 for your payment of 1,200.00', '4930'],
    ['next to an amount of money', 'Use OTP 493027 to pay Rs. 150000 or ₹150000 or INR 150000', '493027'],
    ['next to digits after a decimal point', 'OTP 4930 for 0.123456 of a coin', '4930'],
    ['next to a date and a time', 'Code 493027, until 2026-01-12 14:30', '493027'],
    ['next to the id of an order', 'OTP for RDM-000001-9K2QX4: 493027', '493027'],
    ['next to a phone number', 'Your OTP is 493027. Questions: +91 5000000007 or +915000', '493027'],
    ['repeated for the browser', 'Your code is 493027\n\n@client.example #493027', '493027'],
    ['in another script', 'आपका ओटीपी 493027 है', '493027'],
  ])('%s', (_, text, code) => {
    expect(codeIn(text)).toBe(code);
  });
});

it('OP-166: among several candidates, the only one of six digits is the code', () => {
  expect(codeIn('OTP 493027 for your card ending 4321')).toBe('493027');
  expect(codeIn('OTP 4930 for your card ending 4321')).toBeUndefined();
  expect(codeIn('OTP 493027 or OTP 730294')).toBeUndefined();
});

describe('OP-166: a text without a code has none', () => {
  it.each([
    ['empty', ''],
    ['without digits', 'Your code was used.'],
    ['that mentions no code', '25 points were credited. Your balance is 9500 points.'],
    ['with a voucher and its PIN', 'Your Spice card is here: 6001222233334444, PIN 123456.'],
    ['with too few digits', 'Your OTP is 123'],
    ['with too many digits', 'Your OTP is 123456789'],
    ['with digits within a word', 'Your OTP is A493027'],
    ['with digits in groups', 'Your OTP is 493-027'],
    ['with a word that only contains another', 'Barcodes 493027'],
  ])('%s', (_, text) => {
    expect(codeIn(text)).toBeUndefined();
  });
});

it('OP-166: a code that is found is part of the text, and has four to eight digits', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('OTP', ' ', '-', '.', 'Rs', '₹', '493027', '4930'),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = ` OTP ${parts.join('')}`;
      const code = codeIn(text);
      if (code === undefined) return;
      expect(text).toContain(code);
      expect(code).toMatch(/^\d{4,8}$/);
    }),
  );
});
