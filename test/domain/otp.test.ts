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
const otp: Otp = {
  reference_id: 'OTP-1',
  uid: 'ANN',
  digest: 'd',
  expiresAt: sent + minutes(5),
  tries: 0,
  used: false,
};
const failed = (failures: number): Attempts => ({ failures, lockedUntil: 0 });

describe('one try of a code (OP-18)', () => {
  test('the right code in time signs in, is used up, and clears the count of failures', () => {
    expect(verify(otp, true, failed(19), sent)).toEqual({
      otp: { ...otp, tries: 1, used: true },
      attempts: noAttempts,
    });
  });

  test('a wrong code costs a try and counts as a failure', () => {
    expect(verify(otp, false, failed(3), sent)).toEqual({
      failure: 'otp_wrong',
      otp: { ...otp, tries: 1 },
      attempts: failed(4),
    });
  });

  test('a code is valid for 300 seconds, to the millisecond', () => {
    expect(verify(otp, true, noAttempts, sent + 299_999)).toEqual({
      otp: { ...otp, tries: 1, used: true },
      attempts: noAttempts,
    });
    expect(verify(otp, true, noAttempts, sent + 300_000)).toEqual({
      failure: 'otp_expired',
      otp: { ...otp, tries: 1 },
      attempts: failed(1),
    });
  });

  test.each([true, false])('a used code is refused as used and counts as a failure, right: %s', (matches) => {
    const used = { ...otp, tries: 1, used: true };
    expect(verify(used, matches, noAttempts, sent)).toEqual({ failure: 'otp_used', otp: used, attempts: failed(1) });
  });

  test('a code that is used and expired counts as used', () => {
    const used = { ...otp, tries: 1, used: true };
    expect(verify(used, true, noAttempts, sent + minutes(6)).failure).toBe('otp_used');
  });

  test.each([true, false])(
    'OP-125: a replaced code is refused as replaced and counts as a failure, right: %s',
    (matches) => {
      const replaced = { ...otp, replaced: true as const };
      expect(verify(replaced, matches, failed(3), sent)).toEqual({
        failure: 'otp_replaced',
        otp: replaced,
        attempts: failed(4),
      });
    },
  );

  test('an unknown reference counts as a failure', () => {
    expect(verify(undefined, false, noAttempts, sent)).toEqual({
      failure: 'otp_unknown_reference',
      otp: undefined,
      attempts: failed(1),
    });
  });

  test('no code, or a match against nothing, never signs in', () => {
    expect(verify(undefined, true, noAttempts, sent).failure).toBe('otp_unknown_reference');
  });

  test('five tries a code: the fifth may still be right, the sixth is refused though it is', () => {
    const failures: (string | undefined)[] = [];
    let verdict: ReturnType<typeof verify> = { otp, attempts: noAttempts };
    for (let count = 1; count <= 4; count += 1) {
      verdict = verify(verdict.otp, false, verdict.attempts, sent);
      failures.push(verdict.failure);
    }
    expect(failures).toEqual(['otp_wrong', 'otp_wrong', 'otp_wrong', 'otp_wrong']);
    expect(verify(verdict.otp, true, verdict.attempts, sent).failure).toBeUndefined();
    verdict = verify(verdict.otp, false, verdict.attempts, sent);
    expect(verify(verdict.otp, true, verdict.attempts, sent)).toEqual({
      failure: 'otp_tries_exceeded',
      otp: { ...otp, tries: 5 },
      attempts: failed(6),
    });
  });
});

describe('twenty failures in a row lock the customer for 15 minutes (OP-18)', () => {
  const lockedAt = { failures: 0, lockedUntil: sent + minutes(15) };

  test('a new code does not clear the count: 20 failures over four codes lock', () => {
    let attempts = noAttempts;
    const seen: (string | undefined)[] = [];
    for (let code = 1; code <= 4; code += 1) {
      let fresh: Otp | undefined = { ...otp, reference_id: `OTP-${code}` };
      for (let count = 1; count <= 5; count += 1) {
        const verdict = verify(fresh, false, attempts, sent);
        ({ otp: fresh, attempts } = verdict);
        seen.push(verdict.failure);
      }
    }
    expect(seen).toEqual(Array.from({ length: 20 }, () => 'otp_wrong'));
    expect(attempts).toEqual(lockedAt);
    expect(verify(otp, true, attempts, sent)).toEqual({ failure: 'customer_locked', otp, attempts });
  });

  test('nineteen do not lock', () => {
    expect(verify(otp, false, failed(18), sent).attempts).toEqual(failed(19));
    expect(isLocked(failed(19), sent)).toBe(false);
  });

  test.each([
    ['wrong', otp, false],
    ['used', { ...otp, used: true }, true],
    ['replaced', { ...otp, replaced: true as const }, true],
    ['tried out', { ...otp, tries: 5 }, true],
    ['expired', { ...otp, expiresAt: sent }, true],
    ['unknown', undefined, false],
  ] as const)('the twentieth failure locks, also with a code that is %s', (_, code, matches) => {
    expect(verify(code, matches, failed(19), sent).attempts).toEqual(lockedAt);
  });

  test('while locked nothing is judged and nothing is counted', () => {
    expect(verify(otp, true, lockedAt, sent + 1)).toEqual({ failure: 'customer_locked', otp, attempts: lockedAt });
    expect(verify(otp, false, lockedAt, sent + 1)).toEqual({ failure: 'customer_locked', otp, attempts: lockedAt });
  });

  test('the lock ends after 15 minutes, to the millisecond, and the count starts over', () => {
    expect(isLocked(lockedAt, sent + minutes(15) - 1)).toBe(true);
    expect(isLocked(lockedAt, sent + minutes(15))).toBe(false);
    const late = { ...otp, expiresAt: sent + minutes(20) };
    expect(verify(late, true, lockedAt, sent + minutes(15)).attempts).toEqual(noAttempts);
    expect(verify(late, false, lockedAt, sent + minutes(15)).attempts.failures).toBe(1);
  });
});

describe('OP-126: five codes in ten minutes', () => {
  const sentAt = (...at: number[]): SentCodes => ({ reference_id: 'OTP-9', at });

  test('nobody waits before the first code, nor for the fifth', () => {
    expect(waitForCode(undefined, sent)).toBe(0);
    expect(waitForCode(sentAt(sent, sent, sent, sent), sent)).toBe(0);
  });

  test('the sixth waits until the first is ten minutes old, to the millisecond, in whole seconds rounded up', () => {
    const codes = sentAt(sent, sent + 1000, sent + 2000, sent + 3000, sent + 4000);
    expect(waitForCode(codes, sent + 4000)).toBe(596);
    expect(waitForCode(codes, sent + minutes(10) - 1)).toBe(1);
    expect(waitForCode(codes, sent + minutes(10))).toBe(0);
  });

  test('codes sent before the clock was set back delay nobody', () => {
    const later = sent + minutes(1440);
    expect(waitForCode(sentAt(later, later, later, later, later), sent)).toBe(0);
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
          expect(codes.reference_id).toBe(`OTP-${sentTimes.length}`);
          expect(codes.at.length).toBeLessThanOrEqual(5);
        }
      }),
    );
  });
});

describe('masking the mobile number (OP-18)', () => {
  test.each([
    ['5000000007', '******0007'],
    ['12345', '*2345'],
    ['1234', '1234'],
    ['', ''],
  ])('%j is masked as %j', (mobile, masked) => {
    expect(maskMobile(mobile)).toBe(masked);
  });
});

test('OP-18: a lock set before the clock was set back locks nobody: a lock never lasts longer than its 15 minutes', () => {
  const attempts = verify(otp, false, failed(19), sent + minutes(1440)).attempts;
  expect(attempts.lockedUntil).toBe(sent + minutes(1455));
  expect(isLocked(attempts, sent + minutes(1440))).toBe(true);
  expect(isLocked(attempts, sent + minutes(1440) - 1)).toBe(false);
  expect(verify(otp, true, attempts, sent)).toMatchObject({ attempts: noAttempts });
});
