import type { PartName } from './targets.ts';

/**
 * Time limit of each part in seconds, after which the part has failed. A part's own constants (`loadSeconds`) define how long it generates
 * load and waits for the load to end. The remainder covers server startup and a busy machine.
 */
export const limits: Readonly<Record<PartName, number>> = {
  path: 60,
  listing: 330,
  orders: 360,
  beside: 450,
  proxy: 250,
  start: 120,
  memory: 180,
};

/** Time limit of a whole run in seconds, without the comparison with another checkout. */
export const longest = Object.values(limits).reduce((sum, seconds) => sum + seconds, 0) - limits.beside;
