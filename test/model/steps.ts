/** Random steps to run on a sandbox. A number that selects an element is applied modulo the number of elements. */
import fc from 'fast-check';
import type { components } from '../../generated/sandbox/types.ts';

export const spenders = ['CUST0001', 'CUST0004', 'CUST0005'] as const;
export const skus = ['EGV-CHAI-100', 'EGV-SPICE-500', 'PHY-TAWA-01'] as const;
export const targets = [
  'getProfileAndPoints',
  'saveRedeemDetails',
  'updateRedeemStatus',
  'creditPoints',
  'getCustomerPoints',
  'redeemPoints',
  'reversePoints',
] as const;

export type Spender = (typeof spenders)[number];
export type Sku = (typeof skus)[number];
export type Target = (typeof targets)[number];
export type Version = 'v1' | 'v2';
export type Status = 'Pending' | 'Delivered' | 'Rejected';
export type Outcome = components['schemas']['OutcomeName'];
/** Number of requests to a vendor that never responds successfully (OP-51). */
const vendorTries = 5;
export const never = Number.POSITIVE_INFINITY;

interface VendorEffect {
  /** Returns the number of the platform's request that the vendor answers. */
  readonly tries: (times: number) => number;
  readonly delivers: boolean;
}

/** The effect of each vendor outcome on a line. */
export const vendorEffects: Readonly<Record<Outcome, VendorEffect>> = {
  deliver: { tries: () => 1, delivers: true },
  reject: { tries: () => 1, delivers: false },
  out_of_stock: { tries: () => 1, delivers: false },
  timeout: { tries: () => vendorTries, delivers: false },
  fail_then_deliver: { tries: (times) => times + 1, delivers: true },
  never: { tries: () => never, delivers: false },
};

export type FaultKind = 'status' | 'reset' | 'lost_reply' | 'malformed' | 'duplicate';

export interface OrderLine {
  readonly sku: Sku;
  readonly quantity: number;
}

export type Step =
  | {
      readonly do: 'order';
      readonly uid: Spender;
      readonly version: Version;
      readonly lines: readonly OrderLine[];
      /** A fault that applies to this order's deductions. */
      readonly fault?: { readonly kind: FaultKind; readonly times: number };
    }
  | { readonly do: 'pay'; readonly uid: Spender; readonly rupees: number }
  | { readonly do: 'payAgain'; readonly which: number }
  | { readonly do: 'signIn'; readonly uid: Spender }
  | { readonly do: 'decide'; readonly sku: Sku; readonly outcome: Outcome; readonly times: number }
  | { readonly do: 'stock'; readonly sku: Sku; readonly stock: number }
  | { readonly do: 'fault'; readonly target: Target; readonly kind: FaultKind; readonly times: number }
  | { readonly do: 'report'; readonly which: number; readonly status: Status }
  | { readonly do: 'reverse'; readonly which: number }
  | { readonly do: 'onTimeout'; readonly policy: 'wait' | 'reverse' }
  | { readonly do: 'pass' }
  | { readonly do: 'snapshot' }
  | { readonly do: 'restore'; readonly which: number }
  | { readonly do: 'reset' }
  | { readonly do: 'restart'; readonly abruptly: boolean };

const which = fc.nat(50);
/** Selects the first customer more often, because that customer has the most points. */
const uid = fc.constantFrom<Spender[]>('CUST0001', ...spenders);
const sku = fc.constantFrom(...skus);
const lines = fc.array(fc.record({ sku, quantity: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 3 });
const outcomes = Object.keys(vendorEffects) as Outcome[];
const kinds: FaultKind[] = ['status', 'reset', 'lost_reply', 'malformed', 'duplicate'];
const as = <const D extends Step['do']>(name: D) => fc.constant(name);

const version = fc.constantFrom<Version[]>('v1', 'v2');
const fault = fc.record({ kind: fc.constantFrom(...kinds), times: fc.integer({ min: 1, max: 4 }) });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: as('order'), uid, version, lines }) },
  { weight: 3, arbitrary: fc.record({ do: as('order'), uid, version, lines, fault }) },
  { weight: 3, arbitrary: fc.record({ do: as('pay'), uid, rupees: fc.integer({ min: 1, max: 90_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: as('payAgain'), which }) },
  { weight: 1, arbitrary: fc.record({ do: as('signIn'), uid }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: as('decide'),
      sku,
      outcome: fc.constantFrom(...outcomes),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: as('stock'), sku, stock: fc.integer({ min: 0, max: 4 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: as('fault'),
      target: fc.constantFrom(...targets),
      kind: fc.constantFrom(...kinds),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: as('report'), which, status: fc.constantFrom('Pending', 'Delivered', 'Rejected') }),
  },
  { weight: 1, arbitrary: fc.record({ do: as('reverse'), which }) },
  { weight: 1, arbitrary: fc.record({ do: as('onTimeout'), policy: fc.constantFrom('wait', 'reverse') }) },
  { weight: 5, arbitrary: fc.record({ do: as('pass') }) },
  { weight: 2, arbitrary: fc.record({ do: as('snapshot') }) },
  { weight: 2, arbitrary: fc.record({ do: as('restore'), which }) },
  { weight: 1, arbitrary: fc.record({ do: as('reset') }) },
  { weight: 3, arbitrary: fc.record({ do: as('restart'), abruptly: fc.boolean() }) },
);

/** Generates histories with about this number of steps. */
export function histories(steps: number): fc.Arbitrary<Step[]> {
  return fc.array(step, { minLength: Math.ceil(steps / 2), maxLength: Math.ceil(steps * 1.5), size: 'max' });
}
