import type { MistakeName } from '../../harness/partner/mistakes.ts';

/** Mistakes with credits, and the requirements that must fail for each. */
export const creditCaught = {
  'credit-twice': ['CRD-02', 'CRD-03', 'CRD-05'],
  'credit-twice-parallel': ['CRD-03'],
  'credit-lost-reply': ['CRD-05'],
  'credit-repeat-refused': ['CRD-06'],
  'credit-other-values': ['CRD-04', 'CRD-07', 'CRD-08'],
  'credit-other-values-booked': ['CRD-04', 'CRD-07', 'CRD-08', 'CRD-09'],
  'credit-nothing': ['CRD-01'],
  'credit-malformed': ['CRD-10'],
  'credit-negative': ['CRD-11'],
  'credit-float': ['CRD-12'],
  'credit-exponent': ['CRD-12'],
  'credit-beyond': ['CRD-13'],
  'credit-zero-refused': ['CRD-17'],
  'credit-unknown-customer': ['CRD-16'],
  'missing-transactionId': ['CRD-14'],
  'missing-eventType': ['CRD-15'],
  'missing-paymentAmount': ['CRD-15'],
} as const satisfies Partial<Record<MistakeName, readonly string[]>>;
