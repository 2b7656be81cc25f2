import type { MistakeName } from '../../harness/partner/mistakes.ts';

/** Mistakes at sign-in, and the requirements that must fail for each. */
export const otpCaught = {
  'otp-reusable': ['OTP-05'],
  'otp-any-customer': ['OTP-07'],
  'otp-any-reference': ['OTP-08'],
  'otp-any-code': ['OTP-06'],
  'otp-older': ['OTP-09'],
  'otp-unbounded': ['OTP-11'],
  'otp-never-expires': ['OTP-17'],
  'otp-same': ['OTP-15'],
  'otp-in-reply': ['OTP-10'],
  'otp-mobile-plain': ['OTP-16'],
  'otp-no-reference': ['OTP-01'],
  'otp-unknown-sent': ['OTP-12'],
  'otp-no-token': ['OTP-01'],
  'otp-no-points': ['OTP-02'],
  'otp-token-opaque': ['OTP-03', 'OTP-04'],
  'otp-token-other-sub': ['OTP-04'],
  'otp-missing-otp': ['OTP-14'],
  'otp-missing-customer': ['OTP-13'],
} satisfies Partial<Record<MistakeName, readonly string[]>>;
