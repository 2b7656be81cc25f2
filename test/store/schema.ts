import type { StoreSchema } from '../../sandbox/store/store.ts';

/** The collections of the store's own tests. */
export interface Collections {
  orders: { customer: string; points: number; note?: string; tags?: string[] };
  counters: { value: number };
}

/**
 * The schema of these collections: `customer` leaves orders without a customer out of the index, and an order expires at the
 * instant of its points; without points it never does.
 */
export const schema: StoreSchema<Collections> = {
  orders: {
    ordered: true,
    indexes: { customer: (order) => order.customer || undefined },
    until: ({ points }) => points || undefined,
  },
  counters: {},
};
