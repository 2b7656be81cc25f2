import type { Probe } from '../probing.ts';

export const callingProbes = {} satisfies Record<string, Probe>;
