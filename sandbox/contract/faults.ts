import type { components } from '../../generated/sandbox/types.ts';
import type { Operation } from './document.ts';
import type { Envelope, Rendered } from './envelopes.ts';

type Fault = components['schemas']['Fault'];

/** A fault that one call meets. */
export interface MetFault extends Pick<Fault, 'id' | 'fault' | 'ms' | 'status'> {
  /** The failure that a `status` answers; left out, the first that is documented. */
  readonly failure?: string;
}

/**
 * Where an operation learns what its calls meet (OP-70). `bySandbox` says whether a sandbox made the call: that one may have
 * met its fault on its way (OP-115).
 */
export interface FaultPort {
  /** Takes the fault that a call of this operation meets, so that no other call meets it; undefined for none. */
  take(operationId: string, body: unknown, bySandbox?: boolean): Promise<MetFault | undefined>;
  /** Whether it matters what the body of a call of this operation says. */
  asksForBody(operationId: string, bySandbox?: boolean): boolean;
  /** Waits real milliseconds; less when the sandbox ends. */
  wait(milliseconds: number): Promise<void>;
  /** Resolves when a call after the delayed one was processed, or after a timeout. */
  released(operationId: string): Promise<void>;
  /**
   * For a call that begins: releases the delayed call before it. Call it once this call was processed. Undefined if no
   * call is delayed.
   */
  behind(operationId: string, bySandbox?: boolean): (() => void) | undefined;
}

/** What the messages of failures name, for a failure that nothing really caused. */
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

/** A failure that a fault names; the message contains that name. */
interface NamedFailure {
  readonly kind: string;
  readonly by: string;
}

/**
 * An error reply with this status, in the API's envelope: the requested failure or the first that the
 * operation documents under it, or where it documents none, an envelope with the status and its name.
 */
export function injectedReply(
  operation: Operation,
  envelope: Pick<Envelope<{ readonly kind: string }>, 'render' | 'plain'>,
  status: number,
  named?: NamedFailure,
): Rendered {
  const [first] = operation.replies.get(status)?.examples ?? [];
  const kind = named?.kind ?? first;
  if (kind === undefined) return envelope.plain(status);
  const rendered = envelope.render({ ...facts, kind });
  return named === undefined ? rendered : { ...rendered, body: signed(rendered.body, named.by) };
}

/** The same body with a name behind its message, which is inside `data` where the envelope is wrapped. */
function signed(body: unknown, by: string): unknown {
  const { data, message, ...rest } = body as { readonly data?: unknown; readonly message?: string };
  return data === undefined ? { ...rest, message: `${message} (${by})` } : { ...rest, data: signed(data, by) };
}
