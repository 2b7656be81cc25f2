import type { MistakeName } from '../../harness/partner/mistakes.ts';

/** Mistakes in what a server bears, and the requirements that must fail for each. */
export const robustnessCaught = {
  'extra-field': ['ROB-02'],
  'head-reset': ['ROB-08'],
  'options-500': ['ROB-09'],
  'no-allow': ['ROB-18'],
  'any-method': ['ROB-17'],
  'no-path-500': ['ROB-10'],
  'empty-body-500': ['ROB-05'],
  'malformed-json-500': ['ROB-05', 'ROB-06'],
  'null-body-500': ['ROB-07'],
  'large-body-500': ['ROB-04'],
  'text-plain': ['ROB-03'],
  'resets-under-load': ['ROB-12'],
  'kept-connection-dies': ['ROB-11'],
  'query-undecoded': ['ROB-13'],
  'unicode-500': ['ROB-14'],
  'long-header-431': ['ROB-15'],
  'chunked-411': ['ROB-16'],
  slow: ['ROB-01'],
} satisfies Partial<Record<MistakeName, readonly string[]>>;
