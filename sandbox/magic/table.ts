/**
 * Magic values: names and amounts that make an order or a payment fail. Behaviour, documentation and tests use this
 * table (OP-72).
 */
import type { components } from '../../generated/sandbox/types.ts';
import type { MetFault } from '../contract/faults.ts';
import values from './values.json' with { type: 'json' };

type Schemas = components['schemas'];

/** The result of an order with the value. After `after` seconds, its deduction has the lifecycle label `ends`. */
export interface Expected {
  readonly status: number;
  readonly code?: number;
  readonly message?: string;
  readonly ends?: Schemas['LedgerEntry']['label'];
  readonly after?: number;
  /** Number of calls of the operation that the row's fault affects. Default: 1. */
  readonly tries?: number;
  /** The refusal of a one-time password. */
  readonly otp?: string;
}

/** The result of a payment of the amount, after `after` seconds. `reason` is set if the payment was abandoned. */
interface ExpectedCredit {
  readonly points: number;
  readonly credited: boolean;
  readonly tries: number;
  readonly after: number;
  readonly reason?: string;
}

export interface MagicRow {
  readonly value: string;
  readonly does: string;
}

interface Row<E = Expected> extends MagicRow {
  readonly expected: E;
}

/** An e-gift voucher or product for 100 INR that can be ordered but is not listed. */
export interface MagicItem extends Row {
  readonly physical?: boolean;
  readonly stock?: number;
  readonly vendor?: Schemas['VendorOutcomeInput'];
}

/**
 * A fault in calls about a customer or a payment. `failure` is the documented failure that a `status` fault returns.
 * `times` is the number of affected calls per transaction. Default: all.
 */
interface MagicFault {
  readonly targets: readonly string[];
  readonly fault: Schemas['FaultName'];
  readonly ms?: number;
  readonly status?: number;
  readonly failure?: string;
  readonly times?: number;
}

/** A customer who can sign in and order but is not listed. */
export interface MagicCustomer extends Row {
  readonly balance: number;
  readonly fault?: MagicFault;
}

/** An amount of a payment event. Its second decimal is not 0, so the amount has only one notation. */
interface MagicAmount extends Row<ExpectedCredit> {
  readonly fault?: MagicFault;
}

export const magicItems = values.items as readonly MagicItem[];
export const magicCustomers = values.customers as readonly MagicCustomer[];
export const magicAmounts = values.amounts as readonly MagicAmount[];

/** Instructions for using each kind. */
export const magicUses = {
  item: 'Use it as the sku of a line item.',
  customer: 'Order or sign in as this customer.',
  amount: 'Send it as the paymentAmount of a payment event.',
} as const;
export type MagicKind = keyof typeof magicUses;

/** Returns the name of a fault for an amount, which also identifies its row in the documentation. */
export function amountName(value: string): string {
  return `MAGIC-AMOUNT-${value}`;
}

const names: ReadonlySet<string> = new Set([...magicItems, ...magicCustomers].map(({ value }) => value));

/** All magic values. */
export const magicValues: ReadonlySet<string> = new Set([...names, ...magicAmounts.map(({ value }) => value)]);

/** Returns the magic values in a call. */
export function magicValuesIn(request: unknown): readonly string[] {
  return [...new Set(texts(request))].filter((text) => magicValues.has(text));
}

/** Returns the magic names in a failed call, with references to their documentation; undefined if there are none. */
export function magicHint(request: unknown): string | undefined {
  const found = magicValuesIn(request).filter((text) => names.has(text));
  if (found.length === 0) return undefined;
  return found.map((name) => `magic value ${name}, see docs/magic-values.md#${name.toLowerCase()}`).join('; ');
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** The customer, amount and transaction of a call, according to its body. */
interface CallSubject {
  readonly customer?: string;
  readonly amount?: string;
  readonly transactionId?: string;
}

/** A permanent fault in calls about a customer or a payment (OP-72). */
export interface PermanentFault extends MetFault {
  readonly target: string;
  readonly meets: (subject: CallSubject) => boolean;
  /** Number of affected calls per transaction. Default: all. */
  readonly times?: number;
}

/** Returns the subject of a call with this body, in any API version. */
export function aboutOf(body: unknown): CallSubject {
  const { uid, customer_id = uid, paymentAmount, transactionId } = (body ?? {}) as Record<string, unknown>;
  const named = Object.entries({ customer: customer_id, amount: paymentAmount, transactionId });
  return Object.fromEntries(named.filter(([, value]) => typeof value === 'string'));
}

/** The faults in calls about magic customers and amounts, each with the name of its value. */
export const standingFaults: readonly PermanentFault[] = [
  ...magicCustomers.flatMap(({ value, fault }) => faultsOf(value, fault, ({ customer }) => customer === value)),
  ...magicAmounts.flatMap(({ value, fault }) => faultsOf(amountName(value), fault, ({ amount }) => amount === value)),
];

function faultsOf(id: string, fault: MagicFault | undefined, meets: PermanentFault['meets']): PermanentFault[] {
  if (fault === undefined) return [];
  const { targets, ...rest } = fault;
  return targets.map((target) => ({ id, target, meets, ms: null, status: null, ...rest }));
}
