/** Probes of version 2.0: reading, taking and giving back points. */
import type { Probe } from '../probing.ts';
import { v2DeductionProbes } from './v2-deduction.ts';
import { v2ReadingProbes } from './v2-reading.ts';
import { v2ReversalProbes } from './v2-reversal.ts';

export const v2Probes = {
  ...v2ReadingProbes,
  ...v2DeductionProbes,
  ...v2ReversalProbes,
} satisfies Record<string, Probe>;
