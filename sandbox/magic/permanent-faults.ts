import type { MetFault } from '../contract/faults.ts';
import { amountName, type MagicFault, magicAmounts, magicCustomers } from './table.ts';

/** Whom and what a call is about, as far as its body says so. */
export interface About {
  readonly customer?: string;
  readonly amount?: string;
  readonly transactionId?: string;
}

/** A fault that calls about a customer or a payment meet, for good (OP-72). */
export interface PermanentFault extends MetFault {
  readonly target: string;
  readonly meets: (about: About) => boolean;
  /** How many calls about one transaction meet it; left out, all. */
  readonly times?: number;
}

/** Whom and what a call with this body is about, in the words of any version. */
export function aboutOf(body: unknown): About {
  const { uid, customer_id = uid, paymentAmount, transactionId } = (body ?? {}) as Record<string, unknown>;
  const named = Object.entries({ customer: customer_id, amount: paymentAmount, transactionId });
  return Object.fromEntries(named.filter(([, value]) => typeof value === 'string'));
}

/** The faults that calls about magic customers and amounts meet, named by the value. */
export const standingFaults: readonly PermanentFault[] = [
  ...magicCustomers.flatMap(({ value, fault }) => faultsOf(value, fault, ({ customer }) => customer === value)),
  ...magicAmounts.flatMap(({ value, fault }) => faultsOf(amountName(value), fault, ({ amount }) => amount === value)),
];

function faultsOf(id: string, fault: MagicFault | undefined, meets: (about: About) => boolean): PermanentFault[] {
  if (fault === undefined) return [];
  const { targets, ...rest } = fault;
  return targets.map((target) => ({ id, target, meets, ms: null, status: null, ...rest }));
}
