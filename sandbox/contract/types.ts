import type { Readable } from 'node:stream';

/** Types derived from a contract's generated `operations`: the calls that handlers receive and the replies they may return. */

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

/** A validated request, without fields that are not in the contract. */
export interface Call<Op extends OperationType, Caller> {
  readonly query: ParsedParameters<Op['parameters']['query']>;
  readonly path: ParsedParameters<Op['parameters']['path']>;
  readonly header: ParsedParameters<Op['parameters']['header']>;
  readonly body: BodyOf<Exclude<Op['requestBody'], undefined>>;
  readonly caller: Caller;
  /** Returns whether the caller prefers HTML to JSON, according to its `Accept` header. */
  readonly prefersPage: () => boolean;
  /** Whether the address of the call identified the workspace (OP-63). */
  readonly isAddressed: boolean;
  /** The trace id of this call in the activity log. Pass it to everything that the call causes. */
  readonly trace: string;
  /** Returns the signal that aborts when the caller disconnects, for handlers that wait. */
  readonly gone: () => AbortSignal;
  /** Returns the `Patience` for a handler that waits up to this many seconds without occupying a slot (OP-83). */
  readonly patience: (seconds: number) => Patience;
  /**
   * Stores the answer under the `Idempotency-Key` or the form's key, in the transaction that stores the effect (OP-20). Does
   * nothing if there is no key. Returns the answer, so that a transaction can return it.
   */
  readonly keep: <R extends HandlerAnswer>(tx: KeepingTx, answer: R) => R;
}

/**
 * The limits of a wait: its length in seconds of real time, and a signal that aborts when the caller disconnects. `aside`
 * releases the call's slot during the wait.
 */
export interface Patience {
  readonly seconds: number;
  readonly gone: AbortSignal;
  readonly aside: <T>(waiting: Promise<T>) => Promise<T>;
}

/** Headers of a handler's reply, by name. */
type Headers = Readonly<Record<string, string>>;

/** The JSON of a body whose list items were already validated and serialized. Only `rest`, the body without them, is validated. */
export interface JoinedBody {
  readonly text: string;
  readonly rest: unknown;
}

/** The answer of a handler: a reply with a body, a stream of events, text, a redirect or a failure. */
export type HandlerAnswer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Headers; readonly joined?: JoinedBody }
  | { readonly status: number; readonly stream: Readable }
  | { readonly status: number; readonly type: string; readonly text: string; readonly gzip?: Buffer }
  | { readonly status: number; readonly location: string }
  | { readonly kind: string };

/** A reply that is ready to send. `text` is the serialized body, and `body` is its value. */
export interface WrittenReply {
  readonly status: number;
  readonly text: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The media type of a text that is not JSON. */
  readonly type?: string;
  /** A stream of server-sent events, which replaces the text. */
  readonly stream?: Readable;
  /** The compressed text, for callers that accept it (RFC 9110, 12.5.3). */
  readonly gzip?: Buffer;
}

/** A stored reply, replayed to calls with the same `Idempotency-Key`. `text` is the exact body. */
export interface KeptReply {
  readonly fingerprint: string;
  /** The time when the reply was stored, in milliseconds of sandbox time. */
  readonly at: number;
  readonly status: number;
  readonly text: string | null;
  /** The media type of a text that is not JSON. */
  readonly type?: string;
  /** The `Location` of a redirect. */
  readonly location?: string;
  /** The value of the `X-Problem` header, if present (OP-150). */
  readonly problem?: string;
}

/** The part of a transaction that stores replies and removes expired ones. */
export interface KeepingTx {
  put(collection: 'idempotency', id: string, record: KeptReply): void;
  remove(collection: 'idempotency', id: string): void;
  count(collection: 'idempotency'): number;
  ending(collection: 'idempotency'): { readonly id: string; readonly until: number } | undefined;
}

/** A JSON-RPC message. JSON-RPC defines its own errors. */
type JsonRpc = { readonly jsonrpc: '2.0' };

type Success = 200 | 201 | 202 | 204 | 303;

/** A reply whose body is text of one of these media types. */
type TextReply<S, Types extends PropertyKey> = {
  [T in Types]: {
    readonly status: S;
    readonly type: T;
    readonly text: string;
    /** The cached compressed text, if any, for callers that accept gzip. */
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

/** Statuses for which a handler returns its own reply: successes, HTML pages and JSON-RPC errors. */
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

/** A documented reply of the operation. The status determines its body, stream, text or redirect. */
export type Reply<Op extends OperationType> = {
  [S in Replying<Op['responses']>]: ReplyOf<S, Op['responses'][S]>;
}[Replying<Op['responses']>];

/** The status of each failure. Statuses are literals, so that types can determine whether they are documented. */
export type StatusTable<F extends { readonly kind: string }> = {
  readonly [K in F['kind']]: { readonly status: number };
};

/** The status, code and message of each failure of an API. */
export type FailureTable<F extends { readonly kind: string }> = {
  readonly [K in F['kind']]: {
    readonly status: number;
    readonly code: number;
    readonly message: string | ((failure: Extract<F, { kind: K }>) => string);
  };
};

/** The failures whose status the operation documents. */
export type DocumentedFailure<
  Op extends OperationType,
  F extends { readonly kind: string },
  T extends StatusTable<F>,
> = Extract<F, { kind: { [K in F['kind']]: T[K]['status'] extends keyof Op['responses'] ? K : never }[F['kind']] }>;

/** A documented reply, or a failure whose status the operation documents. */
export type ReplyOrFailure<Op extends OperationType, F extends { readonly kind: string }, T extends StatusTable<F>> =
  | Reply<Op>
  | DocumentedFailure<Op, F, T>;

/** A synchronous or asynchronous result. */
type Answered<T> = T | Promise<T>;

/** A function that runs one operation of the party that hosts it. */
export type Handler<
  Op extends OperationType,
  Party,
  Caller,
  F extends { readonly kind: string },
  T extends StatusTable<F>,
> = (party: Party, call: Call<Op, Caller>) => Answered<ReplyOrFailure<Op, F, T>>;

/** Exactly one handler for each operation of a contract. */
export type Handlers<Ops, Party, Caller, F extends { readonly kind: string }, T extends StatusTable<F>> = {
  readonly [Id in keyof Ops]: Ops[Id] extends OperationType ? Handler<Ops[Id], Party, Caller, F, T> : never;
};
