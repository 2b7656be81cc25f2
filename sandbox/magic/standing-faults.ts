import type { StandingFault } from '../contract/faults.ts';
import { magicCustomers } from './table.ts';

/** The faults that calls about magic customers meet, named by the customer. */
export const standingFaults: readonly StandingFault[] = magicCustomers.flatMap(({ value, fault }) =>
  fault === undefined ? [] : [{ id: value, uid: value, ms: null, status: null, ...fault }],
);
