import type { StoreSchema } from '../../sandbox/store/store.ts';

/** The collections of the store tests. */
export interface Collections {
  orders: { customer: string; points: number; note?: string; tags?: string[] };
  counters: { value: number };
}

/**
 * The schema of these collections. The `customer` index excludes orders without a customer. An order expires at the
 * instant in `points`, and never without points.
 */
export const schema: StoreSchema<Collections> = {
  orders: {
    ordered: true,
    indexes: { customer: (order) => order.customer || undefined },
    until: ({ points }) => points || undefined,
  },
  counters: {},
};
