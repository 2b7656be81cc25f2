import type { MistakeName } from '../server/mistakes.ts';

/** The journeys that each of these mistakes must fail; a mistake that is not named here fails none. */
export const journeysCaught: Partial<Record<MistakeName, readonly string[]>> = {
  'no-reversal': ['JRN-02', 'JRN-04', 'JRN-05', 'JRN-06', 'JRN-08', 'JRN-09', 'JRN-10'],
  'reversal-redeem-points': ['JRN-02', 'JRN-04', 'JRN-06', 'JRN-09'],
  'reversal-twice': ['JRN-04', 'JRN-06'],
  'deduct-twice': ['JRN-03', 'JRN-04', 'JRN-05'],
  'deduct-repeat-refused': ['JRN-03', 'JRN-13'],
  'deduct-redeem-points': ['JRN-02', 'JRN-04', 'JRN-06', 'JRN-09'],
  'delivered-deducts': ['JRN-01', 'JRN-03', 'JRN-08', 'JRN-10', 'JRN-11'],
  'delivered-gives-back': ['JRN-01', 'JRN-03', 'JRN-08', 'JRN-10', 'JRN-11'],
  'credit-twice': ['JRN-07'],
  'credit-nothing': ['JRN-07'],
  'v2-no-reverse': ['JRN-13'],
  'v2-reverse-twice': ['JRN-13'],
  'v2-redeem-twice': ['JRN-13'],
};
