import type { CallEntry } from '../live.ts';

/** Links from a call to the documentation. */

/** Returns the reference link of an operation; `undefined` for a call outside the contracts. */
export function docsOf(
  { operation, party }: Pick<CallEntry, 'operation' | 'party'>,
  api: string | undefined = party === 'sandbox' ? 'sandbox' : undefined,
) {
  return operation === null || api === undefined ? undefined : `/docs/reference/${api}#operation/${operation}`;
}

/**
 * Returns the link that explains a refusal: by its code or, for the client, whose code is always 0, by its message.
 * Returns `undefined` if the reply is not a refusal in one of the two envelopes.
 */
export function adviceOf(reply: unknown) {
  const { code, data } = (reply ?? {}) as { code?: unknown; data?: { code?: unknown; message?: unknown } | null };
  if (typeof code === 'number' && code > 0) return `/docs/errors#code-${code}`;
  if (data?.code !== 0 || typeof data.message !== 'string') return undefined;
  // The message of a 404 names the missing resource, so the documentation cannot list it.
  const message = data.message.endsWith(' does not exist') ? 'Not found' : data.message;
  const words = message.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `/docs/errors#${words.join('-')}`;
}
