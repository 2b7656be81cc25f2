// @ts-check
/** Links from a call to the documentation. */

/**
 * The place of an operation in the reference; undefined for a call outside the contracts.
 * @param {Pick<import('../live.js').CallEntry, 'operation' | 'party'>} call
 * @param {string | undefined} api The contract of the operation, if it has one.
 */
export function docsOf({ operation, party }, api = party === 'sandbox' ? 'sandbox' : undefined) {
  return operation === null || api === undefined ? undefined : `/docs/reference/${api}#operation/${operation}`;
}

/**
 * The place that says what a refusal means and what to do: by its code; of the client, whose code is always 0, by its
 * message. Undefined where the reply is no refusal in one of the two envelopes.
 * @param {unknown} reply
 */
export function adviceOf(reply) {
  const { code, data } = /** @type {{ code?: unknown, data?: { code?: unknown, message?: unknown } | null }} */ (
    reply ?? {}
  );
  if (typeof code === 'number' && code > 0) return `/docs/errors#code-${code}`;
  if (data?.code !== 0 || typeof data.message !== 'string') return undefined;
  const words = data.message.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `/docs/errors#${words.join('-')}`;
}
