import type { Probe } from '../probing.ts';

export const statusProbes = {} satisfies Record<string, Probe>;
