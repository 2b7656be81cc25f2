import type { Probe } from '../probing.ts';

export const deductionProbes = {} satisfies Record<string, Probe>;
