import type { Probe } from '../probing.ts';

export const shapesProbes = {} satisfies Record<string, Probe>;
