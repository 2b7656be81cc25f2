import { type Quota, rateLimitHeaders } from '../contract/rate-limit.ts';

/** What a reply with a token says beside it: no cache keeps it, and where it was counted, what is left (OP-30, OP-137). */
export function tokenHeaders(taken?: Quota): Readonly<Record<string, string>> {
  return { 'Cache-Control': 'no-store', ...(taken && rateLimitHeaders(taken)) };
}
