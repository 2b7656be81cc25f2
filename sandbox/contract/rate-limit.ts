/** What is left of a company's quota. */
export interface Quota {
  /** Requests that are accepted in an hour. */
  readonly limit: number;
  readonly left: number;
  /** The time until one more request is free. */
  readonly seconds: number;
}

/**
 * The headers that tell what is left: structured fields (RFC 9651), as the draft on RateLimit headers has them (OP-30).
 * Both are a list of one name with whole numbers, written out here because every accepted call carries them.
 */
export function rateLimitHeaders({ limit, left, seconds }: Quota): Record<'RateLimit' | 'RateLimit-Policy', string> {
  return { RateLimit: `"hour";r=${left};t=${seconds}`, 'RateLimit-Policy': `"hour";q=${limit};w=3600` };
}
