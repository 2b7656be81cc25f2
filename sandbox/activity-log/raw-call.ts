import type { CallEntry, CallFinding } from './activity-entry.ts';

/** A call before it is masked and cut. It is validated when it is logged, and never stored. */
export interface RawCall {
  /** The path and the query, or the whole address of an outgoing call. */
  readonly url: string;
  readonly request: RawMessage;
  /** Undefined where no reply came. */
  readonly reply: (RawMessage & { readonly status: number }) | undefined;
}

export interface RawMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes as they were sent, or text without its coding; undefined where it was not read or is too large. */
  readonly body: Buffer | string | undefined;
}

/** What validation came to. `unchecked`: something of the call was too large, or not read. */
export interface Validated {
  readonly findings: readonly CallFinding[];
  readonly unchecked: boolean;
}

/** Holds a call against its contract. `seen` is what the log is going to say of it, unmasked. */
export type ValidateCall = (seen: SeenCall, raw: RawCall) => Validated;

export type SeenCall = Pick<
  CallEntry,
  'kind' | 'trace' | 'method' | 'url' | 'operation' | 'status' | 'request' | 'reply' | 'notices'
>;
