import type { PartName } from './targets.ts';

/**
 * The seconds that each part may take before it counts as failed. A part makes load, and waits for its end, for as long as its own constants say
 * (`loadSeconds`); the rest is for starting the server, and for a busy machine.
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

/** The time limit of a whole run in seconds, without another checkout. */
export const longest = Object.values(limits).reduce((sum, seconds) => sum + seconds, 0) - limits.beside;
