/** Tests the cases of one-time passwords that test/client/otp.test.ts does not reach over HTTP (OP-18, OP-125, OP-126). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Attempts,
  afterCode,
  isLocked,
  maskMobile,
  noAttempts,
  type Otp,
  type SentCodes,
  verify,
  waitForCode,
} from '../../sandbox/domain/otp.ts';

const sent = 1_000_000;
const minutes = (count: number) => count * 60_000;
const lifetime = { expiresAt: sent + minutes(5), tries: 0, used: false };
const otp: Otp = { reference_id: 'OTP-1', uid: 'ANN', digest: 'd', ...lifetime };
const failed = (failures: number): Attempts => ({ failures, lockedUntil: 0 });

test('OP-18: a code is valid for 300 seconds, to the millisecond', () => {
  expect(verify(otp, true, failed(19), sent + 299_999)).toEqual({
    otp: { ...otp, tries: 1, used: true },
    attempts: noAttempts,
  });
  expect(verify(otp, true, noAttempts, sent + 300_000)).toEqual({
    failure: 'otp_expired',
    otp: { ...otp, tries: 1 },
    attempts: failed(1),
  });
});

test('OP-18: a code that is used and expired counts as used, and a match against nothing never signs in', () => {
  const used = { ...otp, tries: 1, used: true };
  expect(verify(used, true, noAttempts, sent + minutes(6)).failure).toBe('otp_used');
  expect(verify(undefined, true, noAttempts, sent).failure).toBe('otp_unknown_reference');
});

describe('twenty failures in a row lock the customer for 15 minutes (OP-18)', () => {
  const lockedAt = { failures: 0, lockedUntil: sent + minutes(15) };

  test.each([
    ['wrong', otp, false],
    ['used', { ...otp, used: true }, true],
    ['replaced', { ...otp, replaced: true as const }, true],
    ['tried out', { ...otp, tries: 5 }, true],
    ['expired', { ...otp, expiresAt: sent }, true],
    ['unknown', undefined, false],
  ] as const)('the twentieth failure locks, also with a code that is %s', (_, code, matches) => {
    expect(verify(code, matches, failed(18), sent).attempts).toEqual(failed(19));
    expect(verify(code, matches, failed(19), sent).attempts).toEqual(lockedAt);
  });

  test.each([true, false])('while locked nothing is judged and nothing is counted, right: %s', (matches) => {
    expect(verify(otp, matches, lockedAt, sent + 1)).toEqual({ failure: 'customer_locked', otp, attempts: lockedAt });
  });

  test('the lock ends after 15 minutes, to the millisecond, and the count starts over', () => {
    expect(isLocked(lockedAt, sent + minutes(15) - 1)).toBe(true);
    const late = { ...otp, expiresAt: sent + minutes(20) };
    expect(verify(late, false, lockedAt, sent + minutes(15)).attempts.failures).toBe(1);
  });

  test('a lock set before the clock was set back locks nobody: a lock never lasts longer than its 15 minutes', () => {
    const { attempts } = verify(otp, false, failed(19), sent + minutes(1440));
    expect(attempts.lockedUntil).toBe(sent + minutes(1455));
    expect(isLocked(attempts, sent + minutes(1440))).toBe(true);
    expect(isLocked(attempts, sent + minutes(1440) - 1)).toBe(false);
    expect(verify(otp, true, attempts, sent)).toMatchObject({ attempts: noAttempts });
  });
});

describe('OP-126: five codes in ten minutes', () => {
  test('the sixth waits until the first is ten minutes old, to the millisecond, in whole seconds rounded up', () => {
    const codes = { reference_id: 'OTP-9', at: [sent, sent + 1000, sent + 2000, sent + 3000, sent + 4000] };
    expect(waitForCode(codes, sent + 4000)).toBe(596);
    expect(waitForCode(codes, sent + minutes(10) - 1)).toBe(1);
    expect(waitForCode(codes, sent + minutes(10))).toBe(0);
    // Codes sent before the clock was set back delay nobody.
    expect(waitForCode(codes, sent - 1)).toBe(0);
  });

  test('no window of ten minutes has more than five codes, and at most five timestamps are stored', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }), (steps) => {
        const sentTimes: number[] = [];
        let codes: SentCodes | undefined;
        let now = sent;
        for (const seconds of steps) {
          now += seconds * 1000;
          const inWindow = sentTimes.filter((at) => now - at < minutes(10)).length;
          expect(waitForCode(codes, now) === 0).toBe(inWindow < 5);
          if (waitForCode(codes, now) > 0) continue;
          sentTimes.push(now);
          codes = afterCode(codes, `OTP-${sentTimes.length}`, now);
          expect(codes.at.length).toBeLessThanOrEqual(5);
        }
      }),
    );
  });
});

test('OP-18: a masked number shows its last four digits, and no stars if it has no more', () => {
  expect(['5000000007', '12345', '1234', ''].map(maskMobile)).toEqual(['******0007', '*2345', '1234', '']);
});
