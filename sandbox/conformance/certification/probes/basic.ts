import type { Probe } from '../probing.ts';

export const basicProbes = {} satisfies Record<string, Probe>;
