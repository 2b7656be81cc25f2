import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { DocumentedReply, Operation } from './document.ts';
import type { Envelope, Rendered } from './envelopes.ts';
import { parameterValue, readBody, repeated } from './request.ts';
import type { Check, LoadedContract } from './schemas.ts';
import { keepKnown, type Shape, shapeOf } from './shape.ts';
import type { Answer, Call, FailureTable, Handlers, KeepingTx, KeptReply, OperationType } from './types.ts';

/** Tells who calls from the `Authorization` header, or undefined when the credential does not hold for this scheme. */
export type Authenticator<Caller> = (authorization: string | undefined) => Promise<Caller | undefined>;

/** Whether a caller may come in at all, and what it is told about that in headers. */
export interface Admission<F> {
  readonly refusal?: F;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where kept replies are, and how one is kept when no transaction of the handler's did (OP-20). */
export interface IdempotencyStore {
  get(collection: 'idempotency', id: string): KeptReply | undefined;
  transact<R>(change: (tx: KeepingTx) => R): Promise<R>;
}

/** An API as it is served: its contract, its handlers, and the rules for its callers. */
export interface Api<Ops, Caller, F extends { readonly kind: string }, T extends FailureTable<F>> {
  readonly contract: LoadedContract;
  readonly handlers: Handlers<Ops, Caller, F, T>;
  readonly envelope: Envelope<F>;
  /** One authenticator for each security scheme of the contract. */
  readonly authenticators: Readonly<Record<string, Authenticator<Caller>>>;
  /** Who calls an operation without security. */
  readonly anyone: Caller;
  /** Refuses a caller before anything else is looked at (OP-31, OP-30). */
  readonly admit?: (address: string) => Promise<Admission<F>>;
  readonly idempotency?: IdempotencyStore;
}

/** A reply that does not keep its own contract. */
export interface Violation {
  readonly operationId: string;
  readonly status: number;
  readonly where: string;
  readonly problem: string;
}

/** Is told of what goes wrong while serving. */
export interface Watch {
  readonly violation: (violation: Violation) => void;
  /** Takes an error that a handler threw, and says whether another try may help. */
  readonly error: (error: unknown, operationId: string) => 'internal_error' | 'unavailable';
}

/** What was seen of one call, for the activity log. */
export interface Served {
  readonly operation: Operation;
  readonly status: number;
  readonly request: unknown;
  readonly reply: unknown;
  readonly replyBytes: number;
  readonly notices: readonly string[];
}

/** A reply ready to be written. `body` is what `text` says. */
interface Written {
  readonly status: number;
  readonly text: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** One operation, ready to serve. */
export interface Bound {
  readonly operation: Operation;
  serve(ctx: Context, path: PathValues, trace: string): Promise<Served>;
}

/**
 * Binds the handlers of an API to its contract. Throws when a handler is missing or surplus, when a security scheme has no
 * authenticator, or when a schema does not compile: a sandbox that breaks its contract does not start.
 */
export function bind<Ops, Caller, F extends { readonly kind: string }, T extends FailureTable<F>>(
  api: Api<Ops, Caller, F, T>,
  watch: Watch,
): Bound[] {
  const { contract } = api;
  const handlers = new Map(Object.entries(api.handlers)) as Map<string, AnyHandler<Caller>>;
  const ids = contract.operations.map(({ operationId }) => operationId);
  refuseDifference(`${contract.api}: handler`, new Set(ids), new Set(handlers.keys()));
  refuseDifference(
    `${contract.api}: authenticator`,
    new Set(contract.securitySchemes),
    new Set(Object.keys(api.authenticators)),
  );
  return contract.operations.map((operation) => {
    const handler = handlers.get(operation.operationId);
    if (handler === undefined) throw new Error(`${contract.api}: no handler for ${operation.operationId}`);
    return new BoundOperation(operation, handler, api as unknown as AnyApi<Caller>, watch);
  });
}

type PathValues = Readonly<Record<string, string>>;
type AnyFailure = { readonly kind: string };
type AnyCall<Caller> = Call<OperationType, Caller>;
type AnyHandler<Caller> = (call: AnyCall<Caller>) => Promise<Answer>;
type AnyApi<Caller> = Api<unknown, Caller, AnyFailure, FailureTable<AnyFailure>>;

function refuseDifference(what: string, wanted: ReadonlySet<string>, given: ReadonlySet<string>): void {
  const missing = [...wanted.difference(given)];
  const surplus = [...given.difference(wanted)];
  if (missing.length > 0) throw new Error(`${what} missing for ${missing.join(', ')}`);
  if (surplus.length > 0) throw new Error(`${what} without an entry in the contract: ${surplus.join(', ')}`);
}

/** What a call went through so far; filled step by step, so that a refusal can be logged with what was known. */
interface Passage<Caller> {
  caller: Caller;
  query: Record<string, unknown>;
  path: Record<string, unknown>;
  key: string | undefined;
  raw: Buffer | undefined;
  body: unknown;
  notices: string[];
}

class BoundOperation<Caller> implements Bound {
  readonly operation: Operation;
  readonly #handler: AnyHandler<Caller>;
  readonly #api: AnyApi<Caller>;
  readonly #watch: Watch;
  readonly #parameters: readonly { readonly parameter: Operation['parameters'][number]; readonly check: Check }[];
  readonly #body: { readonly check: Check; readonly shape: Shape } | undefined;
  readonly #replies: ReadonlyMap<number, DocumentedReply & { readonly check: Check | undefined }>;
  /** Calls with a key that are under way, so that two at once have one effect. */
  readonly #underWay = new Map<string, { readonly fingerprint: string; readonly written: Promise<Written> }>();

  constructor(operation: Operation, handler: AnyHandler<Caller>, api: AnyApi<Caller>, watch: Watch) {
    this.operation = operation;
    this.#handler = handler;
    this.#api = api;
    this.#watch = watch;
    const { schemas } = api.contract;
    this.#parameters = operation.parameters.map((parameter) => ({ parameter, check: schemas.check(parameter.schema) }));
    this.#body =
      operation.body === undefined
        ? undefined
        : { check: schemas.check(operation.body), shape: shapeOf(api.contract.bundle, operation.body) };
    this.#replies = new Map(
      [...operation.replies].map(([status, reply]) => [
        status,
        { ...reply, check: reply.schema === undefined ? undefined : schemas.check(reply.schema) },
      ]),
    );
  }

  async serve(ctx: Context, path: PathValues, trace: string): Promise<Served> {
    const passage: Passage<Caller> = {
      caller: this.#api.anyone,
      query: {},
      path: {},
      key: undefined,
      raw: undefined,
      body: undefined,
      notices: [],
    };
    const written = await this.#pass(ctx, path, passage, trace).catch((error: unknown) =>
      this.#render({ kind: this.#watch.error(error, this.operation.operationId) }),
    );
    ctx.status = written.status;
    ctx.set(written.headers);
    if (written.text !== null) {
      ctx.type = 'application/json';
      ctx.body = written.text;
    } else {
      ctx.body = null;
    }
    const { notices, body } = passage;
    const replyBytes = written.text === null ? 0 : Buffer.byteLength(written.text);
    return {
      operation: this.operation,
      status: written.status,
      request: body ?? null,
      reply: written.body,
      replyBytes,
      notices,
    };
  }

  async #pass(ctx: Context, path: PathValues, passage: Passage<Caller>, trace: string): Promise<Written> {
    const refusal =
      (await this.#admit(ctx, passage)) ??
      this.#takeParameters(ctx, path, passage) ??
      (await this.#takeBody(ctx, passage));
    return refusal === undefined ? this.#answer(passage, trace) : this.#render(refusal);
  }

  /** Allowlist and quota, framing of the head, then credentials: in this order, before parameters and body. */
  async #admit(ctx: Context, passage: Passage<Caller>): Promise<AnyFailure | undefined> {
    const { admit, authenticators, envelope } = this.#api;
    const { refusal, headers = {} } = (await admit?.(ctx.req.socket.remoteAddress ?? '')) ?? {};
    ctx.set(headers);
    if (refusal !== undefined) return refusal;
    if (repeated(ctx.req, 'authorization')) return { kind: 'duplicate_authorization' };
    if (this.operation.security.length === 0) return undefined;
    for (const scheme of this.operation.security) {
      const caller = await authenticators[scheme]?.(ctx.req.headers.authorization);
      if (caller !== undefined) {
        passage.caller = caller;
        return undefined;
      }
    }
    return envelope.unauthenticated;
  }

  #takeParameters(ctx: Context, path: PathValues, passage: Passage<Caller>): AnyFailure | undefined {
    for (const { parameter, check } of this.#parameters) {
      const value = parameterValue(parameter, ctx, path);
      if (value === undefined && !parameter.required) continue;
      const found = value === undefined ? { problem: 'is required' } : check(value);
      if (found !== undefined) {
        const where = `${parameter.in} parameter ${parameter.name}`;
        return this.#api.envelope.invalid({ where, problem: found.problem }, parameter.failure);
      }
      if (parameter.in === 'query') passage.query[parameter.name] = value;
      else if (parameter.in === 'path') passage.path[parameter.name] = value;
      else passage.key = String(value);
    }
    return undefined;
  }

  async #takeBody(ctx: Context, passage: Passage<Caller>): Promise<AnyFailure | undefined> {
    if (this.#body === undefined) return undefined;
    const read = await readBody(ctx);
    if ('kind' in read) return read;
    const unknown: string[] = [];
    const known = keepKnown(read.value, this.#body.shape, unknown);
    passage.raw = read.raw;
    passage.body = known;
    passage.notices.push(...unknown.map((pointer) => `unknown field ${pointer} ignored`));
    const found = this.#body.check(known);
    return found && this.#api.envelope.invalid({ where: found.where || 'body', problem: found.problem });
  }

  /** Runs the handler, or repeats the kept answer of an earlier call with the same key (OP-20). */
  async #answer(passage: Passage<Caller>, trace: string): Promise<Written> {
    const { idempotency } = this.#api;
    if (passage.key === undefined || idempotency === undefined) return this.#run(passage, trace, undefined);
    const id = `${this.operation.operationId}:${passage.key}`;
    const fingerprint = createHash('sha256')
      .update(passage.raw ?? '')
      .digest('hex');
    const earlier = idempotency.get('idempotency', id) ?? this.#underWay.get(id);
    if (earlier !== undefined) {
      passage.notices.push('repeat of an idempotency key');
      if (earlier.fingerprint !== fingerprint) return this.#render({ kind: 'idempotency_conflict' });
      return replay('written' in earlier ? await earlier.written : fromKept(earlier));
    }
    const written = this.#run(passage, trace, { id, fingerprint, store: idempotency });
    this.#underWay.set(id, { fingerprint, written });
    try {
      return await written;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #run(
    passage: Passage<Caller>,
    trace: string,
    keeping: { id: string; fingerprint: string; store: IdempotencyStore } | undefined,
  ): Promise<Written> {
    const { caller, query, path, body } = passage;
    let kept: Written | undefined;
    const keepIn = (tx: KeepingTx, written: Written) => {
      if (keeping === undefined) return;
      const { status, text } = written;
      tx.put('idempotency', keeping.id, { fingerprint: keeping.fingerprint, status, text });
    };
    const keep: AnyCall<Caller>['keep'] = (tx, answer) => {
      kept = this.#write(answer);
      keepIn(tx, kept);
      return answer;
    };
    const call = { query, path, body, caller, trace, keep } as unknown as AnyCall<Caller>;
    const answer = await this.#handler(call);
    if (kept !== undefined) return kept;
    const written = this.#write(answer);
    if (keeping !== undefined && written.status !== 500 && written.status !== 503) {
      await keeping.store.transact((tx) => keepIn(tx, written));
    }
    return written;
  }

  #write(answer: Answer): Written {
    return 'kind' in answer ? this.#render(answer) : this.#checked(answer.status, answer.body, {});
  }

  #render(failure: AnyFailure): Written {
    const rendered: Rendered = this.#api.envelope.render(failure);
    return this.#checked(rendered.status, rendered.body, rendered.headers, failure.kind);
  }

  /** Checks a reply against the contract; one that breaks it is reported and becomes the documented internal error. */
  #checked(status: number, body: unknown, headers: Readonly<Record<string, string>>, kind?: string): Written {
    const found = this.#violation(status, body, kind);
    if (found === undefined) return { status, body, headers, text: body === undefined ? null : JSON.stringify(body) };
    this.#watch.violation({ operationId: this.operation.operationId, status, ...found });
    const failure = this.#api.envelope.render({ kind: 'internal_error' });
    return { ...failure, text: JSON.stringify(failure.body) };
  }

  #violation(status: number, body: unknown, kind: string | undefined): { where: string; problem: string } | undefined {
    const documented = this.#replies.get(status);
    if (documented === undefined) return { where: '', problem: `status ${status} is not documented` };
    if (kind !== undefined && !documented.examples.has(kind)) {
      return { where: '', problem: `the error ${kind} is not documented under ${status}` };
    }
    if (documented.check === undefined) {
      return body === undefined ? undefined : { where: '', problem: `a body is not documented under ${status}` };
    }
    return documented.check(body);
  }
}

function fromKept({ status, text }: KeptReply): Written {
  return { status, text, body: text === null ? undefined : JSON.parse(text), headers: {} };
}

function replay(written: Written): Written {
  return { ...written, headers: { ...written.headers, 'Idempotent-Replayed': 'true' } };
}
