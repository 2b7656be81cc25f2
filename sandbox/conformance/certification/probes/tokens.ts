import type { Probe } from '../probing.ts';

export const tokensProbes = {} satisfies Record<string, Probe>;
