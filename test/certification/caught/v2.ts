import type { MistakeName } from '../../harness/partner/mistakes.ts';

/** Mistakes in version 2.0, and the requirements that must fail for each. */
export const v2Caught = {
  'v2-redeem-nothing': ['V2-02', 'V2-04', 'V2-05', 'V2-06', 'V2-16'],
  'v2-no-reverse': ['V2-03'],
  'v2-reverse-twice': ['V2-11', 'V2-12'],
  'v2-reverse-twice-parallel': ['V2-12'],
  'v2-reverse-other-points': ['V2-13'],
  'v2-unknown-code-200': ['V2-14'],
  'v2-no-tombstone': ['V2-15'],
  'v2-redeem-twice': ['V2-04', 'V2-05', 'V2-06'],
  'v2-redeem-twice-parallel': ['V2-05'],
  'v2-redeem-lost-reply': ['V2-06'],
  'v2-other-values': ['V2-09'],
  'v2-overdraw': ['V2-07', 'V2-08'],
  'v2-overdraw-parallel': ['V2-07'],
  'v2-own-ledger': ['V2-16'],
  'v2-balance-before': ['V2-17'],
  'v2-takes-text': ['V2-21'],
  'v2-negative': ['V2-20'],
  'v2-missing-order': ['V2-10'],
  'v2-unknown-customer': ['V2-18'],
  'v2-code-reused': ['V2-19'],
} satisfies Partial<Record<MistakeName, readonly string[]>>;
