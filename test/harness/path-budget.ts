/** The work of one warm order and one warm listing: what a test holds them to, and the bench prints. */

/** What one call makes the sandbox do. */
export interface Work {
  /** Files of the sandbox that run. */
  readonly files: number;
  /** Calls of the sandbox's own functions. */
  readonly calls: number;
  readonly validations: number;
  /** Values that are parsed from JSON. */
  readonly parses: number;
  /** JSON texts that are written. */
  readonly texts: number;
}

/**
 * The most work that one warm order and one warm listing may make. An order has six parts to validate: five bodies (its own two,
 * the balance, and the redemption with its reply) and a customer id in a path.
 */
export const budget: Readonly<Record<'order' | 'listing', Work>> = {
  order: { files: 90, calls: 2600, validations: 6, parses: 4, texts: 13 },
  listing: { files: 50, calls: 500, validations: 1, parses: 0, texts: 1 },
};
