import type { About, StandingFault } from '../contract/faults.ts';
import { amountName, type MagicFault, magicAmounts, magicCustomers } from './table.ts';

/** The faults that calls about magic customers and amounts meet, named by the value. */
export const standingFaults: readonly StandingFault[] = [
  ...magicCustomers.flatMap(({ value, fault }) => standing(value, fault, ({ customer }) => customer === value)),
  ...magicAmounts.flatMap(({ value, fault }) => standing(amountName(value), fault, ({ amount }) => amount === value)),
];

function standing(id: string, fault: MagicFault | undefined, meets: (about: About) => boolean): StandingFault[] {
  if (fault === undefined) return [];
  const { targets, ...rest } = fault;
  return targets.map((target) => ({ id, target, meets, ms: null, status: null, ...rest }));
}
