import type { Context } from 'koa';
import { type Api, type Bound, originOf, type RequestVerdict, type ServedCall, Undecided, type Watch } from './api.ts';
import { hasBody, leftOut, pickFields, readBody, type Shape, shapeOf } from './body.ts';
import type { Operation } from './document.ts';
import { type Keeping, KeyedCalls, keepReply } from './keyed-calls.ts';
import { Replies, setHeaders, type WrittenReply, writeReply } from './replies.ts';
import {
  type AnyFailure,
  isRepeated,
  leaving,
  noParameters,
  Parameters,
  type ParsedParameters,
  type PathValues,
  patienceOf,
  prefersPage,
} from './request.ts';
import type { Check } from './schemas.ts';
import type { Call, HandlerAnswer, KeepingTx, OperationType, Patience, StatusTable } from './types.ts';

type AnyCall<Caller> = Call<OperationType, Caller>;
/** A handler of any operation: its types are erased. */
export type AnyHandler<Party, Caller> = (party: Party, call: AnyCall<Caller>) => HandlerAnswer | Promise<HandlerAnswer>;
/** An API of any operations: their types are erased. */
export type AnyApi<Party, Caller> = Api<unknown, Party, Caller, AnyFailure, StatusTable<AnyFailure>>;

/** What a call went through so far; filled step by step, so that a refusal is logged with the parts that were read. */
interface CallState<Caller> {
  readonly verdict: RequestVerdict;
  caller: Caller;
  parameters: ParsedParameters;
  key: string | undefined;
  raw: Buffer | undefined;
  body: unknown;
  notices: string[];
  readonly isAddressed: boolean;
  readonly prefersPage: () => boolean;
  readonly gone: () => AbortSignal;
  readonly patience: (seconds: number) => Patience;
}

/** The validator of a body. */
interface KnownBody {
  readonly check: Check;
  readonly shape: Shape;
  readonly form: boolean;
  readonly required: boolean;
  readonly closed: boolean;
}

/** One operation of an API: takes a request through admission, validation and handler to a checked reply. */
export class BoundOperation<Party, Caller> implements Bound {
  readonly operation: Operation;
  readonly #handler: AnyHandler<Party, Caller>;
  readonly #api: AnyApi<Party, Caller>;
  readonly #watch: Watch;
  readonly #parameters: Parameters;
  readonly #body: KnownBody | undefined;
  readonly #replies: Replies;
  readonly #keyed: KeyedCalls;

  constructor(operation: Operation, handler: AnyHandler<Party, Caller>, api: AnyApi<Party, Caller>, watch: Watch) {
    this.operation = operation;
    this.#handler = handler;
    this.#api = api;
    this.#watch = watch;
    const { schemas } = api.contract;
    this.#parameters = new Parameters(operation, api);
    const { body } = operation;
    this.#body = body && {
      check: schemas.check(body.schema),
      shape: shapeOf(api.contract.bundle, body.schema),
      form: body.form,
      required: body.required,
      closed: body.closed,
    };
    this.#replies = new Replies(operation, api.envelope, schemas, watch);
    this.#keyed = new KeyedCalls(operation.operationId, this.#replies);
  }

  async serve(ctx: Context, path: PathValues, trace: string): Promise<ServedCall> {
    const gone = leaving(ctx);
    const state: CallState<Caller> = {
      verdict: { isAdmitted: false },
      caller: this.#api.anyone,
      parameters: noParameters,
      key: undefined,
      raw: undefined,
      body: undefined,
      notices: [],
      isAddressed: originOf(ctx.req).addressKey === 'known',
      prefersPage: () => prefersPage(ctx),
      gone,
      patience: patienceOf(ctx, gone),
    };
    return this.#send(ctx, state, await this.#passed(ctx, path, state, trace));
  }

  /** Takes a call through all steps. The first that refuses it is the last. */
  async #passed(ctx: Context, path: PathValues, state: CallState<Caller>, trace: string): Promise<WrittenReply> {
    try {
      const refusal =
        (await this.#admit(ctx, state, trace)) ??
        this.#takeParameters(ctx, path, state) ??
        (await this.#takeSession(state)) ??
        (await this.#takeBody(ctx, state));
      return refusal === undefined ? await this.#answer(state, trace) : this.#replies.refuse(refusal);
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): WrittenReply {
    const failure = this.#watch.error(error, this.operation.operationId);
    // A call that hardly ever stores anything does not say in its contract that it cannot.
    const isTold = failure.kind !== 'workspace_full' || this.operation.replies.get(409)?.examples.has(failure.kind);
    return this.#replies.refuse(isTold ? failure : { kind: 'unavailable' });
  }

  /** Hands a reply on, with what the log is to know of the call. */
  #send(ctx: Context, state: CallState<Caller>, passed: WrittenReply): ServedCall {
    const written = this.#replies.unlessNamed(passed, ctx.req.headers['if-none-match']);
    setHeaders(ctx, this.#api.envelope.headers?.());
    setHeaders(ctx, written.headers);
    writeReply(ctx, written);
    // Koa takes a missing body for a 204.
    ctx.status = written.status;
    const { notices, body, verdict } = state;
    const problem = written.headers['X-Problem'];
    // What is wrong elsewhere than in the request is for the log too.
    if (written.status >= 500 && problem !== undefined) notices.push(problem);
    const replyBytes = Buffer.byteLength(written.text ?? '');
    return {
      operation: this.operation,
      status: written.status,
      request: body ?? null,
      reply: written.body,
      replyBytes,
      notices,
      verdict,
    };
  }

  /** Framing of the head, credentials, quota: in this order, before parameters and body. */
  async #admit(ctx: Context, state: CallState<Caller>, trace: string): Promise<AnyFailure | undefined> {
    if (isRepeated(ctx.req, 'authorization')) return { kind: 'duplicate_authorization' };
    state.verdict.isAdmitted = this.operation.security.length === 0;
    if (state.verdict.isAdmitted) return undefined;
    const caller = await this.#callerOf(ctx, trace);
    if (caller === undefined) return this.#api.envelope.unauthenticated(!ctx.req.headers.authorization);
    if (caller instanceof Undecided) return caller.failure;
    state.caller = caller;
    state.verdict.isAdmitted = true;
    const charge = await this.#api.charge?.();
    setHeaders(ctx, charge?.headers);
    return charge?.refusal;
  }

  /** Who calls, by the first scheme whose credential holds. */
  async #callerOf(ctx: Context, trace: string): Promise<Caller | Undecided<AnyFailure> | undefined> {
    for (const scheme of this.operation.security) {
      const authenticate = this.#api.authenticators[scheme];
      const caller = await authenticate?.(ctx.req.headers.authorization, originOf(ctx.req), trace);
      if (caller !== undefined) return caller;
    }
    return undefined;
  }

  #takeParameters(ctx: Context, path: PathValues, state: CallState<Caller>): AnyFailure | undefined {
    const parameters = this.#parameters.isEmpty ? noParameters : this.#parameters.read(ctx, path);
    state.parameters = parameters;
    state.verdict.parameters = parameters.issues;
    const key = parameters.header['Idempotency-Key'];
    if (key !== undefined) state.key = String(key);
    return this.#parameters.refusalOf(parameters);
  }

  /**
   * A session in the path is the credential of a page; without one that holds nothing else of the call is looked at.
   */
  async #takeSession(state: CallState<Caller>): Promise<AnyFailure | undefined> {
    const { session, envelope } = this.#api;
    const handle = state.parameters.path.session;
    if (session === undefined || handle === undefined) return undefined;
    const caller = await session(String(handle));
    if (caller === undefined) return envelope.unauthenticated(false);
    state.caller = caller;
    return undefined;
  }

  async #takeBody(ctx: Context, state: CallState<Caller>): Promise<AnyFailure | undefined> {
    const { verdict } = state;
    const body = this.#body;
    if (body === undefined) {
      verdict.body = [];
      return undefined;
    }
    const read = body.required || hasBody(ctx.req) ? await readBody(ctx, body.form) : leftOut;
    state.raw = read.raw;
    if ('failure' in read) {
      verdict.body = read;
      return read.failure;
    }
    if ('invalid' in read) return this.#api.envelope.invalid(read.invalid);
    verdict.sent = read.value;
    const unknown: string[] = [];
    const documented = pickFields(read.value, body.shape, unknown);
    state.body = documented;
    if (!body.closed) for (const pointer of unknown) state.notices.push(`unknown field ${pointer} ignored`);
    const issues = body.check(body.closed ? read.value : documented);
    verdict.body = issues ?? [];
    if (issues === undefined) {
      if (body.form) state.key = (documented as { readonly form_key?: string }).form_key;
      return undefined;
    }
    // A misspelt field explains why another one is missing.
    const { where, problem } = issues.find(({ keyword }) => keyword === 'additionalProperties') ?? issues[0];
    return this.#api.envelope.invalid({ where: where || 'body', problem });
  }

  /** Runs the handler, or repeats the stored reply of an earlier call with the same key (OP-20). */
  async #answer(state: CallState<Caller>, trace: string): Promise<WrittenReply> {
    const { key, raw, notices, caller } = state;
    const { idempotency, identity: identify } = this.#api;
    if (key === undefined || idempotency === undefined) return this.#run(state, trace, undefined);
    const identity = identify?.(caller) ?? '';
    return this.#keyed.once({ key, identity, raw, notices }, idempotency, (keeping) =>
      this.#run(state, trace, keeping),
    );
  }

  async #run(state: CallState<Caller>, trace: string, keeping: Keeping | undefined): Promise<WrittenReply> {
    const { caller, parameters, body, isAddressed, prefersPage, gone, patience } = state;
    const { query, path, header } = parameters;
    let stored: WrittenReply | undefined;
    const keepIn = (tx: KeepingTx, written: WrittenReply) => {
      if (keeping !== undefined) keepReply(tx, keeping, written);
    };
    const keep: AnyCall<Caller>['keep'] = (tx, answer) => {
      stored = this.#replies.answer(answer);
      // A reply that breaks the contract must not come with an effect: the transaction is given up.
      if (stored.status === 500) throw new Error('the response violates its contract');
      keepIn(tx, stored);
      return answer;
    };
    const input = { query, path, header, body, caller, isAddressed, trace };
    const call = { ...input, prefersPage, gone, patience, keep } as unknown as AnyCall<Caller>;
    const answer = await this.#handler(this.#api.party, call);
    if (stored !== undefined) return stored;
    const written = this.#replies.answer(answer);
    const final = written.status !== 500 && written.status !== 503 && !this.#api.keepsEffectsOnly;
    if (keeping !== undefined && final) await keeping.store.transact((tx) => keepIn(tx, written));
    return written;
  }
}
