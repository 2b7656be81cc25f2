import type { Probe } from '../probing.ts';

export const otpProbes = {} satisfies Record<string, Probe>;
