import type { AreaMistake } from '../../harness/partner/mistakes.ts';
import { each } from './each.ts';

/** Mistakes with tokens, credentials and reply formats, and the requirements that must fail for each. */
export const accessCaught = {
  'any-token': `
    TOK-01 TOK-03 TOK-05 TOK-06 TOK-07 TOK-08 TOK-10 TOK-11 TOK-12 TOK-13 TOK-14 TOK-15 TOK-17 TOK-18 TOK-21
    TOK-22 TOK-23 TOK-25 TOK-26 TOK-27 TOK-28 TOK-29 TOK-30`,
  'no-token': 'TOK-02 TOK-10 TOK-12 TOK-17 TOK-21 TOK-25 TOK-29',
  'bare-token': 'TOK-04',
  ...each('TOK-03 TOK-10 TOK-12 TOK-17 TOK-21 TOK-25 TOK-29', 'token-prefix', 'token-malformed-500'),
  'alg-none': 'TOK-06 TOK-13 TOK-22 TOK-26',
  'altered-payload': 'TOK-05 TOK-13 TOK-22 TOK-26',
  'expired-token': 'TOK-07 TOK-14 TOK-28',
  'other-customers-token': 'TOK-08 TOK-15 TOK-23 TOK-27',
  'jwt-for-service': 'TOK-11 TOK-18',
  'no-service-token-for-profile': '',
  'token-401': 'TOK-01 TOK-19',
  'token-message': 'TOK-01',
  'token-after-body': 'TOK-20',
  'jwt-refused': 'TOK-09 TOK-16 TOK-24 OTP-04',
  'effect-despite-refusal': 'TOK-10 TOK-11 TOK-12 TOK-13 TOK-14 TOK-17 TOK-18 TOK-25 TOK-26 TOK-28 TOK-29 TOK-30',
  'any-password': 'BAS-02 BAS-06',
  'any-username': 'BAS-03 BAS-06',
  'no-basic': 'BAS-01 BAS-06',
  'basic-422': 'BAS-07',
  'basic-500': 'BAS-01 BAS-02 BAS-03 BAS-04 BAS-06',
  'bearer-for-basic': 'BAS-04 BAS-06',
  'basic-refused': 'BAS-05',
  'otp-despite-refusal': 'BAS-08',
  ...each(
    'SHP-09 SHP-10 SHP-11 SHP-13 SHP-20 SHP-24',
    'error-name',
    'error-code',
    'error-data-status',
    'error-type-missing',
    'error-status-text',
    'error-success-true',
  ),
  ...each(
    'TOK-01 SHP-09 SHP-10 SHP-11 SHP-12 SHP-13 SHP-14 SHP-20 SHP-24',
    'error-message-missing',
    'error-no-data',
    'error-flat',
  ),
  'error-200': `
    TOK-01 TOK-02 TOK-03 TOK-04 TOK-05 TOK-06 TOK-07 TOK-08 TOK-10 TOK-11 TOK-12 TOK-13 TOK-14 TOK-15 TOK-17
    TOK-18 TOK-21 TOK-22 TOK-23 TOK-25 TOK-26 TOK-27 TOK-28 TOK-29 TOK-30
    SHP-12 SHP-14 SHP-15 CRD-04 CRD-07 CRD-08 CRD-10 CRD-11 CRD-12
    CRD-13 CRD-14 CRD-15 CRD-16 DED-06 DED-08 DED-09 DED-13 DED-14
    DED-15 DED-16 DED-17 DED-18 DED-19 DED-20 DED-21 DED-22 STA-08
    STA-11 STA-16 STA-17 STA-18 STA-19 STA-20 STA-22 OTP-05 OTP-06
    OTP-07 OTP-08 OTP-09 OTP-11 OTP-12 OTP-13 OTP-14 OTP-17 OTP-19 V2-07
    V2-08 V2-09 V2-10 V2-13 V2-14 V2-15 V2-18 V2-19 V2-20 V2-21 ROB-07
    ROB-14`,
  'error-html': 'TOK-01 SHP-09 SHP-10 SHP-11 SHP-12 SHP-13 SHP-14 SHP-16 SHP-20 SHP-24',
  'mandatory-message': 'SHP-12 SHP-14',
  ...each('SHP-03', 'balance-text', 'points-float', 'total-earned-missing'),
  ...each('SHP-01', 'balance-null', 'points-missing', 'profile-missing'),
  ...each('SHP-02', 'uid-missing', 'pan-missing', 'pincode-text', 'state-text', 'project-id-text'),
  'dob-iso': 'SHP-05',
  'foreign-profile': 'SHP-04',
  ...each('SHP-06', 'success-text', 'done-empty'),
  'status-text': 'SHP-07',
  'credit-done-empty': 'SHP-08',
  'profile-without-uid': 'SHP-15',
  'content-type-text': 'SHP-16',
} satisfies Readonly<Record<AreaMistake<'tokens' | 'basic' | 'envelopes' | 'shapes'>, string>>;
