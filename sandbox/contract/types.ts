import type { Readable } from 'node:stream';

/** Types that follow from a contract's generated `operations`: what a handler is given and what it may answer. */

/** The minimal shape of a generated operation. */
export interface OperationType {
  readonly parameters: { readonly query?: unknown; readonly path?: unknown; readonly header?: unknown };
  readonly requestBody?: unknown;
  readonly responses: unknown;
}

type ParsedParameters<T> = [Exclude<T, undefined>] extends [never] ? Record<never, never> : Exclude<T, undefined>;
type BodyOf<T> = [T] extends [never]
  ? undefined
  : T extends { content: { 'application/json': infer Body } }
    ? Body
    : T extends { content: { 'application/x-www-form-urlencoded': infer Form } }
      ? Form
      : undefined;

/** A validated request. Fields that the contract does not know have been left out. */
export interface Call<Op extends OperationType, Caller> {
  readonly query: ParsedParameters<Op['parameters']['query']>;
  readonly path: ParsedParameters<Op['parameters']['path']>;
  readonly header: ParsedParameters<Op['parameters']['header']>;
  readonly body: BodyOf<Exclude<Op['requestBody'], undefined>>;
  readonly caller: Caller;
  /** Whether the caller prefers a page to JSON, by its `Accept`. */
  readonly prefersPage: () => boolean;
  /** Whether the address of the call led to the workspace (OP-63). */
  readonly isAddressed: boolean;
  /** Names this call in the activity log; give it to everything that the call causes. */
  readonly trace: string;
  /** The signal that the caller is gone, for a handler that waits. */
  readonly gone: () => AbortSignal;
  /** For a handler that waits up to this many seconds: it holds no slot in the meantime (OP-83). */
  readonly patience: (seconds: number) => Patience;
  /**
   * Keeps the answer under the caller's `Idempotency-Key`, or under the key of a page's form, in the transaction of the
   * effect (OP-20). Without a key it does nothing. Returns the answer, so that a transaction can end with it.
   */
  readonly keep: <R extends HandlerAnswer>(tx: KeepingTx, answer: R) => R;
}

/**
 * How long a caller waits, in seconds of real time, the signal that it is no longer there, and what waiting goes
 * through.
 */
export interface Patience {
  readonly seconds: number;
  readonly gone: AbortSignal;
  readonly aside: <T>(waiting: Promise<T>) => Promise<T>;
}

/** Headers that a handler gives its reply, by name. */
type Headers = Readonly<Record<string, string>>;

/** The JSON of a body whose list items were validated and serialised before. Only `rest`, the body without them, is validated. */
export interface JoinedBody {
  readonly text: string;
  readonly rest: unknown;
}

/**
 * What a handler may come back with: a reply with a body, a stream of events, a text or another address, or
 * a failure.
 */
export type HandlerAnswer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Headers; readonly joined?: JoinedBody }
  | { readonly status: number; readonly stream: Readable }
  | { readonly status: number; readonly type: string; readonly text: string; readonly gzip?: Buffer }
  | { readonly status: number; readonly location: string }
  | { readonly kind: string };

/**
 * A reply ready to be written. `text` is the body as it goes over the wire, serialised once; `body` is what it says.
 */
export interface WrittenReply {
  readonly status: number;
  readonly text: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The media type of a text that is not JSON. */
  readonly type?: string;
  /** What the reply consists of in place of a text: server-sent events, as they come. */
  readonly stream?: Readable;
  /** The compressed text, for callers that accept it (RFC 9110, 12.5.3). */
  readonly gzip?: Buffer;
}

/** The reply to a call with an `Idempotency-Key`, stored for its repeats. `text` is the exact body. */
export interface KeptReply {
  readonly fingerprint: string;
  /** When it was stored, in milliseconds on the sandbox clock. */
  readonly at: number;
  readonly status: number;
  readonly text: string | null;
  /** The media type of a text that is not JSON. */
  readonly type?: string;
  /** The address that the reply sends its caller on to, if it does. */
  readonly location?: string;
  /** What `X-Problem` says, if it comes (OP-150). */
  readonly problem?: string;
}

/** The part of a transaction that stores a reply and drops expired ones. */
export interface KeepingTx {
  put(collection: 'idempotency', id: string, record: KeptReply): void;
  remove(collection: 'idempotency', id: string): void;
  count(collection: 'idempotency'): number;
  ending(collection: 'idempotency'): { readonly id: string; readonly until: number } | undefined;
}

/** A body that is a message of JSON-RPC, which has errors of its own. */
type JsonRpc = { readonly jsonrpc: '2.0' };

type Success = 200 | 201 | 202 | 204 | 303;

/** A reply whose body is a text, of one of these media types. */
type TextReply<S, Types extends PropertyKey> = {
  [T in Types]: {
    readonly status: S;
    readonly type: T;
    readonly text: string;
    /** The compressed text, if it is cached, for callers that accept gzip. */
    readonly gzip?: Buffer;
  };
}[Types];

type ReplyOf<S, Documented> = Documented extends { content: infer Content }
  ? Content extends { 'text/event-stream': unknown }
    ? { readonly status: S; readonly stream: Readable }
    : Content extends { 'application/json': infer Body }
      ?
          | { readonly status: S; readonly body: Body; readonly headers?: Headers; readonly joined?: JoinedBody }
          | TextReply<S, Exclude<keyof Content, 'application/json'>>
      : TextReply<S, keyof Content>
  : S extends 303
    ? { readonly status: S; readonly location: string }
    : { readonly status: S };

/** Statuses that a handler answers with a reply of its own: successes, pages, and the errors of JSON-RPC. */
type Replying<Responses> = {
  [S in keyof Responses]: S extends Success
    ? S
    : Responses[S] extends { content: { 'text/html': unknown } }
      ? S
      : Responses[S] extends { content: { 'application/json': infer Body } }
        ? [Extract<Body, JsonRpc>] extends [never]
          ? never
          : S
        : never;
}[keyof Responses];

/**
 * A documented reply of the operation: status and body, stream of server-sent events, text or address belong together.
 */
export type Reply<Op extends OperationType> = {
  [S in Replying<Op['responses']>]: ReplyOf<S, Op['responses'][S]>;
}[Replying<Op['responses']>];

/** Which status each failure has; statuses are literal, so that types can tell what is documented. */
export type StatusTable<F extends { readonly kind: string }> = {
  readonly [K in F['kind']]: { readonly status: number };
};

/** How an API turns each failure into an envelope. */
export type FailureTable<F extends { readonly kind: string }> = {
  readonly [K in F['kind']]: {
    readonly status: number;
    readonly code: number;
    readonly message: string | ((failure: Extract<F, { kind: K }>) => string);
  };
};

/** The failures of which the operation documents the status. */
export type DocumentedFailure<
  Op extends OperationType,
  F extends { readonly kind: string },
  T extends StatusTable<F>,
> = Extract<F, { kind: { [K in F['kind']]: T[K]['status'] extends keyof Op['responses'] ? K : never }[F['kind']] }>;

/** What a handler comes back with: a documented reply, or a failure of which the operation documents the status. */
export type ReplyOrFailure<Op extends OperationType, F extends { readonly kind: string }, T extends StatusTable<F>> =
  | Reply<Op>
  | DocumentedFailure<Op, F, T>;

/** What a handler returns: it may need nothing that it has to wait for. */
type Answered<T> = T | Promise<T>;

/** What carries out one operation, with the party that hosts it. */
export type Handler<
  Op extends OperationType,
  Party,
  Caller,
  F extends { readonly kind: string },
  T extends StatusTable<F>,
> = (party: Party, call: Call<Op, Caller>) => Answered<ReplyOrFailure<Op, F, T>>;

/** One handler for each operation of a contract, no more and no less. */
export type Handlers<Ops, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>> = {
  readonly [Id in keyof Ops]: Ops[Id] extends OperationType ? Handler<Ops[Id], Party, Caller, F, T> : never;
};
