import type { components } from '../../generated/sandbox/types.ts';

/** A certification as it is kept (OP-205); without `ended_at` it runs, or ended with its process. */
export type CertificationRecord = Omit<
  components['schemas']['Certification'],
  'state' | 'position' | 'outcome' | 'counts' | 'verdicts'
>;
