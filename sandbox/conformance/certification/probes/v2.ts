import type { Probe } from '../probing.ts';

export const v2Probes = {} satisfies Record<string, Probe>;
