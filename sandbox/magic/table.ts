/** Magic values: what makes an order fail by its name alone, in one table for behaviour, documentation and tests (OP-72). */
import type { components } from '../../generated/sandbox/types.ts';
import values from './values.json' with { type: 'json' };

type Schemas = components['schemas'];

/** What an order with the value comes to; `ends` is the lifecycle label of its deduction so many seconds later. */
export interface Expected {
  readonly status: number;
  readonly code?: number;
  readonly message?: string;
  readonly ends?: Schemas['LedgerEntry']['label'];
  readonly after?: number;
  /** The refusal of a one-time password. */
  readonly otp?: string;
}

interface Row {
  readonly value: string;
  readonly does: string;
  readonly expected: Expected;
}

/** An e-gift voucher of 100 INR that can be ordered and is not listed. */
export interface MagicItem extends Row {
  readonly stock?: number;
  readonly vendor?: Schemas['VendorOutcomeInput'];
}

/** A fault that meets every call about the customer. `failure` is the documented failure that a `status` answers. */
export interface MagicFault {
  readonly target: string;
  readonly fault: Schemas['FaultName'];
  readonly ms?: number;
  readonly status?: number;
  readonly failure?: string;
}

/** A customer who can sign in and order and is not listed. */
export interface MagicCustomer extends Row {
  readonly balance: number;
  readonly locked?: boolean;
  readonly fault?: MagicFault;
}

export const magicItems = values.items as readonly MagicItem[];
export const magicCustomers = values.customers as readonly MagicCustomer[];
