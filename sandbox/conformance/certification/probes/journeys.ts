import type { Probe } from '../probing.ts';

export const journeysProbes = {} satisfies Record<string, Probe>;
