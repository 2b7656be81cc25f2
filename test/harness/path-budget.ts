/** The work budget of one warm order and one warm listing. A test enforces it, and the benchmark prints it. */

/** The sandbox's work for one call. */
export interface Work {
  /** Number of sandbox files that run. */
  readonly files: number;
  /** Number of calls to the sandbox's own functions. */
  readonly calls: number;
  readonly validations: number;
  /** Number of values parsed from JSON. */
  readonly parses: number;
  /** Number of values serialized as JSON. */
  readonly texts: number;
}

/**
 * Maximum work for one warm order and one warm listing. An order validates a customer id in a path and five bodies: its request and reply,
 * the balance, and the redemption with its reply.
 */
export const budget: Readonly<Record<'order' | 'listing', Work>> = {
  order: { files: 90, calls: 2600, validations: 6, parses: 4, texts: 13 },
  listing: { files: 50, calls: 500, validations: 1, parses: 0, texts: 1 },
};
