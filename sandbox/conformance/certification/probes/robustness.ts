import type { Probe } from '../probing.ts';

export const robustnessProbes = {} satisfies Record<string, Probe>;
