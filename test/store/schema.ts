import type { StoreSchema } from '../../sandbox/store/store.ts';

/** The books of the store's own tests. */
export interface Collections {
  orders: { customer: string; points: number; note?: string; tags?: string[] };
  counters: { value: number };
}

/**
 * How the books are kept; `customer` leaves orders without a customer out of the index, and an order counts until the
 * instant of its points, one of none for ever.
 */
export const schema: StoreSchema<Collections> = {
  orders: {
    ordered: true,
    indexes: { customer: (order) => order.customer || undefined },
    until: ({ points }) => points || undefined,
  },
  counters: {},
};
