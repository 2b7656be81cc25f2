import type { MistakeName } from '../../harness/partner/mistakes.ts';

/** The requirements about Basic credentials that a server with a mistake fails; with any other mistake it fails none of them. */
export const basicCaught: Partial<Record<MistakeName, readonly string[]>> = {
  'any-password': ['BAS-02', 'BAS-06'],
  'any-username': ['BAS-03', 'BAS-06'],
  'no-basic': ['BAS-01', 'BAS-06'],
  'basic-422': ['BAS-07'],
  'basic-500': ['BAS-01', 'BAS-02', 'BAS-03', 'BAS-04', 'BAS-06'],
  'bearer-for-basic': ['BAS-04', 'BAS-06'],
  'basic-refused': ['BAS-05'],
  'otp-despite-refusal': ['BAS-08'],
};
