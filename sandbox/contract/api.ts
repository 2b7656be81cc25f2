import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RefusedBody } from './body.ts';
import type { Operation, Parameter } from './document.ts';
import type { Envelope, Rendered } from './envelopes.ts';
import type { RequestFailure } from './failure-tables.ts';
import type { FaultPort } from './faults.ts';
import type { Issue, Issues, LoadedContract } from './schemas.ts';
import type { Handlers, KeepingTx, KeptReply, StatusTable, WrittenReply } from './types.ts';

/**
 * Resolves the caller from the `Authorization` header; undefined if the credential is invalid for this scheme,
 * `Undecided` if that could not be determined.
 */
export type Authenticator<Party, Caller, F = never> = (
  party: Party,
  authorization: string | undefined,
  from: CallOrigin,
  trace: string,
) => Promise<Caller | Undecided<F> | undefined>;

/** The response if the party that validates a credential did not answer. */
export class Undecided<F> {
  readonly failure: F;

  constructor(failure: F) {
    this.failure = failure;
  }
}

/** Whether a call is within its caller's quota, and the headers that report it. */
export interface Charge<F> {
  readonly refusal?: F;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Stored replies, and how to store one that no transaction of the handler stored (OP-20). */
export interface IdempotencyStore {
  get(id: string): KeptReply | undefined;
  /** Keeps a reply as of now, in the transaction of its effect. */
  keep(tx: KeepingTx, id: string, reply: Omit<KeptReply, 'at'>): void;
  transact<R>(change: (tx: KeepingTx) => R): Promise<R>;
  /** The calls in progress, by the id of their reply, so that two concurrent ones have one effect. */
  readonly underWay: Map<string, { readonly fingerprint: string; readonly written: Promise<WrittenReply> }>;
}

/** Where a call comes from, as it was decided where it arrived (OP-77). */
export interface CallOrigin {
  /** The sandbox itself, a caller behind a proxy, this machine, or another one. */
  readonly kind: 'sandbox' | 'forwarded' | 'machine' | 'network';
  /** Every address that has to be on an allowlist (OP-31, OP-87). */
  readonly addresses: readonly string[];
  /** Whether the control API takes the call without an admin token (OP-65). */
  readonly exempt: boolean;
  /** Why it is refused before anything else is checked. */
  readonly foreign?: Foreign;
  /**
   * Whether its address has the key of a workspace, or a key that no workspace has (OP-63). `missing` where it has none, and no
   * credential led to a workspace, on a sandbox that other machines can reach; else left out.
   */
  readonly addressKey?: 'known' | 'unknown' | 'missing';
  /** The token that names the workspace of another instance: its signature is checked there, before anything else. */
  readonly token?: string;
}

/** Why a call is not for this server, whatever it asks for. */
export type Foreign = Extract<RequestFailure, { kind: 'foreign_host' | 'foreign_site' | 'own_call' }>;

/** A parameter that is missing (`issues` left out) or invalid, and what was sent. */
export interface ParameterIssue {
  readonly parameter: Parameter;
  readonly sent: unknown;
  readonly issues?: Issues;
}

/** What validation found in a request. A part is missing if the call was refused before that part was validated. */
export interface RequestVerdict {
  /** Whether a credential held, or none was needed. */
  isAdmitted: boolean;
  parameters?: readonly ParameterIssue[];
  /** The issues of the body; why there are none, where it could not be read. */
  body?: readonly Issue[] | RefusedBody;
  /** The body as it was sent, parsed; left out where it has not been read, or cannot be. */
  sent?: unknown;
}

/** The verdict on a request that nothing has looked at. */
export const unseen: Readonly<RequestVerdict> = { isAdmitted: false };

/** A workspace as its operations see it. */
export interface ServingWorkspace<Hosts> {
  /** The parties that host the operations. */
  readonly hosts: Hosts;
  /** The faults that its calls meet (OP-70). */
  readonly faults: FaultPort;
}

/** An API as it is served: its contract, its handlers, and the rules for its callers, for all workspaces. */
export interface Api<Ops, Hosts, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>> {
  readonly contract: LoadedContract;
  /** The party that hosts the operations, of the workspace of a call; every handler is given it. */
  readonly party: (hosts: Hosts) => Party;
  readonly handlers: Handlers<Ops, Party, Caller, F, T>;
  readonly envelope: (party: Party) => Envelope<F>;
  /** One authenticator for each security scheme of the contract. */
  readonly authenticators: Readonly<Record<string, Authenticator<Party, Caller, F>>>;
  /** Who calls an operation without security. */
  readonly anyone: Caller;
  /** Refuses a caller before anything else is checked (OP-31). */
  readonly admit?: (party: Party, from: CallOrigin) => Rendered | undefined;
  /** Takes an authenticated call from its caller's quota, or refuses it (OP-30). */
  readonly charge?: (party: Party) => Promise<Charge<F>>;
  /** Whether a page size above the maximum counts as the maximum (OP-11). */
  readonly clampsLimit?: (party: Party) => boolean;
  /** Returns the owner of the session in the path parameter `session`; undefined if there is none. */
  readonly session?: (party: Party, handle: string) => Promise<Caller | undefined>;
  readonly idempotency?: (party: Party) => IdempotencyStore;
  /** Keep only what handlers keep themselves: a page that refused appears again when its form is sent again (OP-96). */
  readonly keepsEffectsOnly?: boolean;
  /** Whether its operations meet the faults that were set for them (OP-70). */
  readonly meetsFaults?: boolean;
  /** Identifies the caller of a stored reply: the same key of another caller does not match it (OP-20). */
  readonly identity?: (caller: Caller) => string;
}

/** A reply that does not keep its own contract. */
export interface Violation {
  readonly operationId: string;
  readonly status: number;
  readonly where: string;
  readonly problem: string;
}

/** Observes errors while serving. */
export interface Watch {
  readonly violation: (violation: Violation) => void;
  /** Takes an error that a handler threw, and says whether another try may help. */
  readonly error: (
    error: unknown,
    operationId: string,
  ) => Extract<RequestFailure, { kind: 'internal_error' | 'unavailable' | 'store_gave_up' | 'workspace_full' }>;
}

/** What was seen of one call, for the activity log. */
export interface ServedCall {
  /** Undefined for a path or method outside the contracts. */
  readonly operation?: Operation | undefined;
  /** Null when no reply left. */
  readonly status: number | null;
  readonly request: unknown;
  readonly reply: unknown;
  readonly replyBytes: number;
  readonly notices: readonly string[];
  /** What validation found in the request. */
  readonly verdict: Readonly<RequestVerdict>;
}

/** What counts a call among those in service. */
export interface Slot {
  /** Releases the slot while the call only waits, and takes it again afterwards. */
  aside<T>(waiting: Promise<T>): Promise<T>;
  /** Releases the slot for good. */
  readonly end: () => void;
}

/** A call before its workspace is known. */
export interface ArrivingCall {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly state: { origin: CallOrigin; slot?: Slot | undefined };
}
