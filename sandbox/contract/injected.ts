import type { Operation } from './document.ts';
import type { Envelope, Rendered } from './envelopes.ts';

/** What the messages of failures name, for a failure that nothing really caused. */
const facts = {
  where: 'body',
  problem: 'was refused by an injected fault',
  needed: 1,
  available: 0,
  sku: 'any',
  message: 'injected fault',
  retryAfterSeconds: 1,
  limit: 1,
  id: 'any',
};

/**
 * An error reply with this status, in the API's envelope: `failure` or the first that the operation documents under
 * it, or where it documents none, an envelope with the status and its name.
 */
export function injectedReply(
  operation: Operation,
  envelope: Pick<Envelope<{ readonly kind: string }>, 'render' | 'plain'>,
  status: number,
  failure?: string,
): Rendered {
  const [first] = operation.replies.get(status)?.examples ?? [];
  const kind = failure ?? first;
  return kind === undefined ? envelope.plain(status) : envelope.render({ ...facts, kind });
}
