import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RefusedBody } from './body.ts';
import type { Operation, Parameter } from './document.ts';
import type { Envelope, Rendered } from './envelopes.ts';
import type { RequestFailure } from './failure-tables.ts';
import type { FaultPort } from './faults.ts';
import type { Issue, Issues, LoadedContract } from './schemas.ts';
import type { Handlers, KeepingTx, KeptReply, StatusTable, WrittenReply } from './types.ts';

/**
 * Resolves the caller from the `Authorization` header. Returns `undefined` if the credential is invalid for this scheme,
 * and `Undecided` if its validity could not be determined.
 */
export type Authenticator<Party, Caller, F = never> = (
  party: Party,
  authorization: string | undefined,
  from: CallOrigin,
  trace: string,
) => Promise<Caller | Undecided<F> | undefined>;

/** The result of an authentication whose validating party did not respond. */
export class Undecided<F> {
  readonly failure: F;

  constructor(failure: F) {
    this.failure = failure;
  }
}

/** The outcome of charging a call to its caller's quota, and the headers that report it. */
export interface Charge<F> {
  readonly refusal?: F;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Access to stored replies, including a transaction for replies that the handler did not store itself (OP-20). */
export interface IdempotencyStore {
  get(id: string): KeptReply | undefined;
  /** Stores a reply with the current time, in the transaction that also stores its effect. */
  keep(tx: KeepingTx, id: string, reply: Omit<KeptReply, 'at'>): void;
  transact<R>(change: (tx: KeepingTx) => R): Promise<R>;
  /** Calls in progress, keyed by reply id, so that concurrent duplicates have only one effect. */
  readonly underWay: Map<string, { readonly fingerprint: string; readonly written: Promise<WrittenReply> }>;
}

/** The origin of a call, determined when it arrived (OP-77). */
export interface CallOrigin {
  /** The kind of caller: a sandbox, a caller behind a proxy, this machine, or another machine. */
  readonly kind: 'sandbox' | 'forwarded' | 'machine' | 'network';
  /** All addresses that must be on the allowlist (OP-31, OP-87). */
  readonly addresses: readonly string[];
  /** Whether the control API accepts the call without an admin token (OP-65). */
  readonly exempt: boolean;
  /** The reason to refuse the call before any other check. */
  readonly foreign?: Foreign;
  /**
   * Whether the workspace key in the address exists (OP-63). `missing` means that the address has no key and no credential
   * identified a workspace, on a sandbox that other machines can reach. Omitted in all other cases.
   */
  readonly addressKey?: 'known' | 'unknown' | 'missing';
  /** A token for a workspace on another instance. That instance verifies its signature before any other check. */
  readonly token?: string;
}

/** A reason to refuse a call regardless of its operation. */
export type Foreign = Extract<RequestFailure, { kind: 'foreign_host' | 'foreign_site' | 'own_call' }>;

/** A missing or invalid parameter, and the value sent. `issues` is omitted if the parameter is missing. */
export interface ParameterIssue {
  readonly parameter: Parameter;
  readonly sent: unknown;
  readonly issues?: Issues;
}

/** The validation result of a request. A property is missing if the call was refused before that part was validated. */
export interface RequestVerdict {
  /** Whether a credential was valid, or none was required. */
  isAdmitted: boolean;
  parameters?: readonly ParameterIssue[];
  /** The issues found in the body, or the reason that it could not be read. */
  body?: readonly Issue[] | RefusedBody;
  /** The parsed body, including undocumented fields. Omitted if it was not read or could not be parsed. */
  sent?: unknown;
}

/** The verdict on a request before any validation. */
export const unseen: Readonly<RequestVerdict> = { isAdmitted: false };

/** The part of a workspace that its operations use. */
export interface ServingWorkspace<Hosts> {
  /** The parties that host the operations of the workspace. */
  readonly hosts: Hosts;
  /** The source of faults for calls in this workspace (OP-70). */
  readonly faults: FaultPort;
}

/** A served API: its contract, its handlers and the rules for its callers. All workspaces share it. */
export interface Api<Ops, Hosts, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>> {
  readonly contract: LoadedContract;
  /** Selects the party that hosts the operations. Every handler receives it. */
  readonly party: (hosts: Hosts) => Party;
  readonly handlers: Handlers<Ops, Party, Caller, F, T>;
  readonly envelope: (party: Party) => Envelope<F>;
  /** One authenticator for each security scheme in the contract. */
  readonly authenticators: Readonly<Record<string, Authenticator<Party, Caller, F>>>;
  /** The caller of an operation without security. */
  readonly anyone: Caller;
  /** Refuses a caller before anything else is checked (OP-31). */
  readonly admit?: (party: Party, from: CallOrigin) => Rendered | undefined;
  /** Charges an authenticated call to its caller's quota, or refuses it (OP-30). */
  readonly charge?: (party: Party) => Promise<Charge<F>>;
  /** Whether a page size above the maximum is reduced to the maximum (OP-11). */
  readonly clampsLimit?: (party: Party) => boolean;
  /** Resolves the owner of the session in the path parameter `session`, or `undefined` if the session does not exist. */
  readonly session?: (party: Party, handle: string) => Promise<Caller | undefined>;
  readonly idempotency?: (party: Party) => IdempotencyStore;
  /** Whether only replies stored by handlers are replayed. A form that was refused can then be submitted again (OP-96). */
  readonly keepsEffectsOnly?: boolean;
  /** Whether configured faults apply to the operations (OP-70). */
  readonly meetsFaults?: boolean;
  /** Returns an identifier for the caller, so that callers do not share idempotency keys (OP-20). */
  readonly identity?: (caller: Caller) => string;
}

/** A reply that violates its own contract. */
export interface Violation {
  readonly operationId: string;
  readonly status: number;
  readonly where: string;
  readonly problem: string;
}

/** Callbacks for errors that occur while calls are served. */
export interface Watch {
  readonly violation: (violation: Violation) => void;
  /** Reports an error thrown by a handler, and returns the failure to send to the caller. */
  readonly error: (
    error: unknown,
    operationId: string,
  ) => Extract<RequestFailure, { kind: 'internal_error' | 'unavailable' | 'store_gave_up' | 'workspace_full' }>;
}

/** A record of one call for the activity log. */
export interface ServedCall {
  /** `undefined` for a path or method outside the contracts. */
  readonly operation?: Operation | undefined;
  /** `null` if no reply was sent. */
  readonly status: number | null;
  readonly request: unknown;
  readonly reply: unknown;
  readonly replyBytes: number;
  readonly notices: readonly string[];
  /** The validation result of the request. */
  readonly verdict: Readonly<RequestVerdict>;
}

/** A slot in the limit on concurrent calls. */
export interface Slot {
  /** Releases the slot until `waiting` settles, then acquires it again. */
  aside<T>(waiting: Promise<T>): Promise<T>;
  /** Releases the slot permanently. */
  readonly end: () => void;
}

/** A call whose workspace has not been resolved yet. */
export interface ArrivingCall {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly state: { origin: CallOrigin; slot?: Slot | undefined };
}
