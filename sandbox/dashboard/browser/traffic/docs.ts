import type { CallEntry } from '../live.ts';

/** Links from a call to the documentation. */

/** The place of an operation in the reference; undefined for a call outside the contracts. */
export function docsOf(
  { operation, party }: Pick<CallEntry, 'operation' | 'party'>,
  api: string | undefined = party === 'sandbox' ? 'sandbox' : undefined,
) {
  return operation === null || api === undefined ? undefined : `/docs/reference/${api}#operation/${operation}`;
}

/**
 * The place that says what a refusal means and what to do: by its code; of the client, whose code is always 0, by its
 * message. Undefined if the reply is no refusal in one of the two envelopes.
 */
export function adviceOf(reply: unknown) {
  const { code, data } = (reply ?? {}) as { code?: unknown; data?: { code?: unknown; message?: unknown } | null };
  if (typeof code === 'number' && code > 0) return `/docs/errors#code-${code}`;
  if (data?.code !== 0 || typeof data.message !== 'string') return undefined;
  // A 404 names what does not exist, which is in no list.
  const message = data.message.endsWith(' does not exist') ? 'Not found' : data.message;
  const words = message.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `/docs/errors#${words.join('-')}`;
}
