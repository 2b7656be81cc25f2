import type { Work } from './count.ts';

/**
 * The most work that one warm order and one warm listing may make. An order has six parts to validate: five bodies (its own two,
 * the balance, and the redemption with its reply) and a customer id in a path.
 */
export const budget: Readonly<Record<'order' | 'listing', Work>> = {
  order: { files: 90, calls: 2600, validations: 6, parses: 5, texts: 17 },
  listing: { files: 50, calls: 500, validations: 1, parses: 0, texts: 2 },
};
