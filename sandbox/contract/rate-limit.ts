import { serializeList } from 'structured-headers';

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
 */
export function rateLimitHeaders({ limit, left, seconds }: Quota): Record<'RateLimit' | 'RateLimit-Policy', string> {
  return {
    RateLimit: hourly({ r: left, t: seconds }),
    'RateLimit-Policy': hourly({ q: limit, w: 3600 }),
  };
}

function hourly(parameters: Readonly<Record<string, number>>): string {
  return serializeList([['hour', new Map(Object.entries(parameters))]]);
}
