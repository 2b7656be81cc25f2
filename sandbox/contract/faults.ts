import type { components } from '../../generated/sandbox/types.ts';
import type { Operation } from './document.ts';
import type { Envelope, Rendered } from './envelopes.ts';

type Fault = components['schemas']['Fault'];

/** A fault that applies to one call. */
export interface MetFault extends Pick<Fault, 'id' | 'fault' | 'ms' | 'status'> {
  /** The failure kind that a `status` fault returns. If omitted, the first kind documented for the status. */
  readonly failure?: string;
}

/**
 * The source of faults for the calls of an operation (OP-70). `bySandbox` is true if a sandbox sent the call, because that
 * sandbox may already have applied the fault (OP-115).
 */
export interface FaultPort {
  /** Claims the fault for one call of this operation, so that it applies to no other call. Resolves with `undefined` if there is none. */
  take(operationId: string, body: unknown, bySandbox?: boolean): Promise<MetFault | undefined>;
  /** Whether the choice of a fault for this operation depends on the request body. */
  asksForBody(operationId: string, bySandbox?: boolean): boolean;
  /** Waits for a number of real milliseconds, or until the sandbox stops. */
  wait(milliseconds: number): Promise<void>;
  /** Resolves when a later call has been processed, or after a timeout. */
  released(operationId: string): Promise<void>;
  /**
   * Returns a function that releases the delayed call, or `undefined` if no call is delayed. Get it when a call starts, and
   * run it after that call has been processed.
   */
  behind(operationId: string, bySandbox?: boolean): (() => void) | undefined;
}

/** Placeholder values for the messages of injected failures, which have no real cause. */
const facts = {
  where: 'body',
  problem: 'was refused by an injected fault',
  needed: 1,
  available: 0,
  sku: 'any',
  message: 'injected fault',
  reason: 'injected fault',
  retryAfterSeconds: 1,
  limit: 1,
  id: 'any',
};

/**
 * Returns an error reply with this status in the API's envelope. It uses the requested failure, or the first one that the
 * operation documents for the status. If there is neither, the envelope contains only the status and its name.
 *
 * @param named the failure kind requested by a fault, and the fault id to append to its message
 */
export function injectedReply(
  operation: Operation,
  envelope: Pick<Envelope<{ readonly kind: string }>, 'render' | 'plain'>,
  status: number,
  named?: { readonly kind: string; readonly by: string },
): Rendered {
  const [first] = operation.replies.get(status)?.examples ?? [];
  const kind = named?.kind ?? first;
  if (kind === undefined) return envelope.plain(status);
  const rendered = envelope.render({ ...facts, kind });
  return named === undefined ? rendered : { ...rendered, body: signed(rendered.body, named.by) };
}

/** Returns the body with a name appended to its message. In a wrapped envelope, the message is inside `data`. */
function signed(body: unknown, by: string): unknown {
  const { data, message, ...rest } = body as { readonly data?: unknown; readonly message?: string };
  return data === undefined ? { ...rest, message: `${message} (${by})` } : { ...rest, data: signed(data, by) };
}
