import type { PartName } from './targets.ts';

/**
 * The seconds that each part may take before it counts as failed. A part makes load for as long as its own constants say
 * (`loadSeconds`); the rest is for starting the server, and for a busy machine.
 */
export const limits: Readonly<Record<PartName, number>> = {
  listing: 240,
  orders: 240,
  path: 30,
  stores: 60,
  proxy: 90,
  start: 120,
  memory: 240,
  workspaces: 60,
  catalogue: 120,
};

/** The time limit of a whole run, in seconds. */
export const longest = Object.values(limits).reduce((sum, seconds) => sum + seconds, 0);
