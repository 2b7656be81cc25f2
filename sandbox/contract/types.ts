import type { Readable } from 'node:stream';

/** Types that follow from a contract's generated `operations`: what a handler is given and what it may answer. */

/** The little that is asked of a generated operation. */
export interface OperationType {
  readonly parameters: { readonly query?: unknown; readonly path?: unknown; readonly header?: unknown };
  readonly requestBody?: unknown;
  readonly responses: unknown;
}

type Given<T> = [Exclude<T, undefined>] extends [never] ? Record<never, never> : Exclude<T, undefined>;
type JsonOf<T> = [T] extends [never]
  ? undefined
  : T extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined;

/** A validated request. Fields that the contract does not know have been left out. */
export interface Call<Op extends OperationType, Caller> {
  readonly query: Given<Op['parameters']['query']>;
  readonly path: Given<Op['parameters']['path']>;
  readonly header: Given<Op['parameters']['header']>;
  readonly body: JsonOf<Exclude<Op['requestBody'], undefined>>;
  readonly caller: Caller;
  /** Names this call in the activity log; give it to everything that the call causes. */
  readonly trace: string;
  /** The signal that the caller is gone, for a handler that waits. */
  readonly gone: () => AbortSignal;
  /**
   * Keeps the answer under the caller's `Idempotency-Key` in the transaction of the effect (OP-20). Without a key it does
   * nothing. Returns the answer, so that a transaction can end with it.
   */
  readonly keep: <R extends Answer>(tx: KeepingTx, answer: R) => R;
}

/** What a handler may come back with: a reply with a body or with a stream of events, or a failure. */
export type Answer =
  | { readonly status: number; readonly body?: unknown }
  | { readonly status: number; readonly stream: Readable }
  | { readonly kind: string };

/** The answer to a call with an `Idempotency-Key`, kept for its repeats. `text` is the body, byte for byte. */
export interface KeptReply {
  readonly fingerprint: string;
  readonly status: number;
  readonly text: string | null;
}

/** The part of a transaction that keeping a reply needs. */
export interface KeepingTx {
  put(collection: 'idempotency', id: string, record: KeptReply): void;
}

type Success = 200 | 201 | 202 | 204;

type ReplyOf<S, Documented> = Documented extends { content: { 'text/event-stream': unknown } }
  ? { readonly status: S; readonly stream: Readable }
  : JsonOf<Documented> extends undefined
    ? { readonly status: S }
    : { readonly status: S; readonly body: JsonOf<Documented> };

/** A documented successful reply of the operation: status and body, or stream of server-sent events, belong together. */
export type Reply<Op extends OperationType> = {
  [S in keyof Op['responses'] & Success]: ReplyOf<S, Op['responses'][S]>;
}[keyof Op['responses'] & Success];

/** How an API turns each failure into an envelope; statuses are literal, so that types can tell what is documented. */
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
  T extends FailureTable<F>,
> = Extract<F, { kind: { [K in F['kind']]: T[K]['status'] extends keyof Op['responses'] ? K : never }[F['kind']] }>;

export type Handler<
  Op extends OperationType,
  Caller,
  F extends { readonly kind: string },
  T extends FailureTable<F>,
> = (call: Call<Op, Caller>) => Promise<Reply<Op> | DocumentedFailure<Op, F, T>>;

/** One handler for each operation of a contract, no more and no less. */
export type Handlers<Ops, Caller, F extends { readonly kind: string }, T extends FailureTable<F>> = {
  readonly [Id in keyof Ops]: Ops[Id] extends OperationType ? Handler<Ops[Id], Caller, F, T> : never;
};
