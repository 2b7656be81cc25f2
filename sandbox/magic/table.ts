/**
 * Magic values: what makes an order or a payment fail by its name alone, in one table for behaviour, documentation and
 * tests (OP-72).
 */
import type { components } from '../../generated/sandbox/types.ts';
import type { MetFault } from '../contract/faults.ts';
import values from './values.json' with { type: 'json' };

type Schemas = components['schemas'];

/** The result of an order with the value; `ends` is the lifecycle label of its deduction this many seconds later. */
export interface Expected {
  readonly status: number;
  readonly code?: number;
  readonly message?: string;
  readonly ends?: Schemas['LedgerEntry']['label'];
  readonly after?: number;
  /** Calls of the operation that the row's fault is for; 1 where it is not said. */
  readonly tries?: number;
  /** The refusal of a one-time password. */
  readonly otp?: string;
}

/** The result of a payment of the amount, this many seconds later. `reason` is why it was given up on, if it was. */
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

/** An e-gift voucher, or a product, of 100 INR that can be ordered and is not listed. */
export interface MagicItem extends Row {
  readonly physical?: boolean;
  readonly stock?: number;
  readonly vendor?: Schemas['VendorOutcomeInput'];
}

/**
 * A fault that meets the calls about a customer or a payment. `failure` is the documented failure that a `status`
 * answers, `times` for how many calls about one transaction it counts: all, where it is not said.
 */
interface MagicFault {
  readonly targets: readonly string[];
  readonly fault: Schemas['FaultName'];
  readonly ms?: number;
  readonly status?: number;
  readonly failure?: string;
  readonly times?: number;
}

/** A customer who can sign in and order and is not listed. */
export interface MagicCustomer extends Row {
  readonly balance: number;
  readonly fault?: MagicFault;
}

/** An amount of a payment event. Its second decimal is not 0: there is no other way to write it. */
interface MagicAmount extends Row<ExpectedCredit> {
  readonly fault?: MagicFault;
}

export const magicItems = values.items as readonly MagicItem[];
export const magicCustomers = values.customers as readonly MagicCustomer[];
export const magicAmounts = values.amounts as readonly MagicAmount[];

/** How one of each kind is used. */
export const magicUses = {
  item: 'Order it: use it as sku in a line_items entry.',
  customer: 'Order or sign in as this customer.',
  amount: 'Send it as the paymentAmount of a payment event.',
} as const;
export type MagicKind = keyof typeof magicUses;

/** The name under which a fault about an amount shows, and its row in the docs. */
export function amountName(value: string): string {
  return `MAGIC-AMOUNT-${value}`;
}

const names: ReadonlySet<string> = new Set([...magicItems, ...magicCustomers].map(({ value }) => value));

/** Every magic value. */
export const magicValues: ReadonlySet<string> = new Set([...names, ...magicAmounts.map(({ value }) => value)]);

/** The magic values in a call. */
export function magicValuesIn(request: unknown): readonly string[] {
  return [...new Set(texts(request))].filter((text) => magicValues.has(text));
}

/** Names the magic values in a call that failed, and where the docs say what they do; undefined if there is none. */
export function magicHint(request: unknown): string | undefined {
  const found = magicValuesIn(request).filter((text) => names.has(text));
  if (found.length === 0) return undefined;
  return found.map((name) => `magic value ${name}, see docs/magic-values.md#${name.toLowerCase()}`).join('; ');
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** Whom and what a call is about, according to its body. */
interface CallSubject {
  readonly customer?: string;
  readonly amount?: string;
  readonly transactionId?: string;
}

/** A fault that calls about a customer or a payment meet, for good (OP-72). */
export interface PermanentFault extends MetFault {
  readonly target: string;
  readonly meets: (subject: CallSubject) => boolean;
  /** How many calls about one transaction have this fault. Without it, all have. */
  readonly times?: number;
}

/** Whom and what a call with this body is about, in the words of any version. */
export function aboutOf(body: unknown): CallSubject {
  const { uid, customer_id = uid, paymentAmount, transactionId } = (body ?? {}) as Record<string, unknown>;
  const named = Object.entries({ customer: customer_id, amount: paymentAmount, transactionId });
  return Object.fromEntries(named.filter(([, value]) => typeof value === 'string'));
}

/** The faults that calls about magic customers and amounts meet, named by the value. */
export const standingFaults: readonly PermanentFault[] = [
  ...magicCustomers.flatMap(({ value, fault }) => faultsOf(value, fault, ({ customer }) => customer === value)),
  ...magicAmounts.flatMap(({ value, fault }) => faultsOf(amountName(value), fault, ({ amount }) => amount === value)),
];

function faultsOf(
  id: string,
  fault: MagicFault | undefined,
  meets: (subject: CallSubject) => boolean,
): PermanentFault[] {
  if (fault === undefined) return [];
  const { targets, ...rest } = fault;
  return targets.map((target) => ({ id, target, meets, ms: null, status: null, ...rest }));
}
