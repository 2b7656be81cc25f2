import type { ParameterizedContext } from 'koa';
import {
  type CallOrigin,
  type RequestVerdict,
  type ServedCall,
  type ServingWorkspace,
  type Slot,
  Undecided,
} from './api.ts';
import type { AnyCall, BoundOperation } from './binder.ts';
import { hasBody, leftOut, pickFields, readBody } from './body.ts';
import { at, type Contract } from './document.ts';
import type { Envelope } from './envelopes.ts';
import { combined } from './failure-tables.ts';
import { type Keeping, keepReply, onceByKey, Replies, setHeaders, writeReply } from './replies.ts';
import {
  type AnyFailure,
  isRepeated,
  leaving,
  noParameters,
  type ParsedParameters,
  patienceOf,
  prefersPage,
} from './request.ts';
import type { PathValues } from './routes.ts';
import type { Issue } from './schemas.ts';
import type { KeepingTx, WrittenReply } from './types.ts';

/** The part of `ctx.state` that an operation needs. Earlier middleware sets it. */
export interface OperationState {
  origin: CallOrigin;
  /** The concurrency slot of the call, or `undefined` if calls are not limited. */
  slot?: Slot | undefined;
  workspace: ServingWorkspace<unknown>;
  /** The operation for the method and path, or `undefined` if there is none. */
  operation?: BoundOperation | undefined;
  /** Values of the path parameters. */
  path: PathValues;
  /** The trace id of the call in the activity log (OP-42). */
  trace: string;
}

/** The Koa context of a call to an operation. */
export type OperationContext = ParameterizedContext<OperationState>;

/** Returns the operation that a call was routed to. Throws if there is none. */
export function operationOf({ state: { operation } }: OperationContext): BoundOperation {
  if (operation === undefined) throw new Error('no operation serves this call');
  return operation;
}

/** The progress of a call. Each step adds to it, so that the log of a refused call contains the parts already read. */
export interface OperationCall {
  readonly bound: BoundOperation;
  /** The party that hosts the operation in the workspace of the call. */
  readonly party: unknown;
  readonly envelope: Envelope<AnyFailure>;
  readonly replies: Replies;
  readonly verdict: RequestVerdict;
  readonly notices: string[];
  caller: unknown;
  parameters: ParsedParameters;
  key: string | undefined;
  raw: Buffer | undefined;
  body: unknown;
}

/** A step of an operation. Returns a reply, a failure, or `undefined` to continue with the next step. */
export type Step = (ctx: OperationContext, call: OperationCall) => Outcome | Promise<Outcome>;
type Refusal = AnyFailure | undefined;
type Outcome = WrittenReply | Refusal;

/** Runs the operation of a call. Resolves with the record for the activity log. */
export type CarryOut = (ctx: OperationContext) => Promise<ServedCall>;

/** Runs the steps in order until one refuses or answers the call, then sends the reply. */
export function inOrder(...steps: readonly Step[]): CarryOut {
  return async (ctx) => {
    const bound = operationOf(ctx);
    const { api, operation, watch } = bound;
    const party = api.party(ctx.state.workspace.hosts);
    const envelope = api.envelope(party);
    const call: OperationCall = {
      bound,
      party,
      envelope,
      verdict: { isAdmitted: false },
      notices: [],
      caller: api.anyone,
      parameters: noParameters,
      key: undefined,
      raw: undefined,
      body: undefined,
      replies: new Replies(operation.operationId, bound.replies, envelope, watch),
    };
    return send(ctx, call, await replyTo(ctx, call, steps));
  };
}

async function replyTo(ctx: OperationContext, call: OperationCall, steps: readonly Step[]): Promise<WrittenReply> {
  const { bound, replies } = call;
  const { watch, operation } = bound;
  try {
    for (const step of steps) {
      const outcome = await step(ctx, call);
      if (outcome !== undefined) return 'kind' in outcome ? replies.refuse(outcome) : outcome;
    }
    throw new Error('no step answered the call');
  } catch (error) {
    const failure = watch.error(error, operation.operationId);
    // Operations that rarely store anything do not document `workspace_full`.
    const isTold = failure.kind !== 'workspace_full' || operation.replies.get(409)?.examples.has(failure.kind);
    return replies.refuse(isTold ? failure : { kind: 'unavailable' });
  }
}

/** Writes a reply to the context, and returns the record of the call for the log. */
function send(ctx: OperationContext, call: OperationCall, passed: WrittenReply): ServedCall {
  const { bound, envelope, replies, notices, body, verdict } = call;
  const written = replies.unlessNamed(passed, ctx.req.headers['if-none-match']);
  setHeaders(ctx, envelope.headers?.());
  setHeaders(ctx, written.headers);
  writeReply(ctx, written);
  // Koa sets the status to 204 if the body is missing.
  ctx.status = written.status;
  const problem = written.headers['X-Problem'];
  // A problem outside the request also belongs in the log.
  if (written.status >= 500 && problem !== undefined) notices.push(problem);
  const replyBytes = Buffer.byteLength(written.text ?? '');
  const { status, body: reply } = written;
  return { operation: bound.operation, status, request: body ?? null, reply, replyBytes, notices, verdict };
}

/** Resolves the caller with the first scheme that accepts the credential. */
export async function authenticate(ctx: OperationContext, call: OperationCall): Promise<Refusal> {
  const { bound, party, envelope, verdict } = call;
  if (isRepeated(ctx.req, 'authorization')) return { kind: 'duplicate_authorization' };
  const { security } = bound.operation;
  verdict.isAdmitted = security.length === 0;
  if (verdict.isAdmitted) return undefined;
  const { authorization } = ctx.req.headers;
  for (const scheme of security) {
    const caller = await bound.api.authenticators[scheme]?.(party, authorization, ctx.state.origin, ctx.state.trace);
    if (caller instanceof Undecided) return caller.failure;
    if (caller === undefined) continue;
    call.caller = caller;
    verdict.isAdmitted = true;
    return undefined;
  }
  return envelope.unauthenticated(!authorization);
}

/** Charges an authenticated call to its caller's quota, before parameters and body are read. */
export async function charge(ctx: OperationContext, { bound, party }: OperationCall): Promise<Refusal> {
  if (bound.operation.security.length === 0) return undefined;
  const charged = await bound.api.charge?.(party);
  setHeaders(ctx, charged?.headers);
  return charged?.refusal;
}

/** Reads and validates the parameters of a call. */
export function takeParameters(ctx: OperationContext, call: OperationCall): Refusal {
  const known = call.bound.parameters;
  const sent = known.isEmpty ? noParameters : known.read(ctx, ctx.state.path);
  call.verdict.parameters = sent.issues;
  const { contract, clampsLimit } = call.bound.api;
  const isClamped = sent.issues.length > 0 && clampsLimit?.(call.party);
  const parameters = isClamped ? clamped(sent, contract.bundle) : sent;
  call.parameters = parameters;
  const key = parameters.header['Idempotency-Key'];
  if (key !== undefined) call.key = String(key);
  return known.refusalOf(parameters, call.envelope);
}

/** Returns the parameters with a page size above the maximum reduced to the maximum. */
function clamped({ query, issues, ...rest }: ParsedParameters, bundle: Contract['bundle']): ParsedParameters {
  const above = issues.find(
    ({ parameter, issues }) => parameter.failure === 'invalid_limit' && issues?.[0].keyword === 'maximum',
  );
  if (above === undefined) return { ...rest, query, issues };
  const limit = at(bundle, above.issues?.[0].schema ?? '');
  const others = issues.filter((issue) => issue !== above);
  return { ...rest, query: { ...query, [above.parameter.name]: limit }, issues: others };
}

/** Resolves the caller from a session in the path, which is the credential of a page. Refuses an unknown session. */
export async function takeSession(_: OperationContext, call: OperationCall): Promise<Refusal> {
  const { session } = call.bound.api;
  const handle = call.parameters.path.session;
  if (session === undefined || handle === undefined) return undefined;
  const caller = await session(call.party, String(handle));
  if (caller === undefined) return call.envelope.unauthenticated(false);
  call.caller = caller;
  return undefined;
}

/** Reads and validates the body, and drops fields that are not in the contract. */
export async function takeBody(ctx: OperationContext, call: OperationCall): Promise<Refusal> {
  const { verdict, envelope, notices } = call;
  const { body } = call.bound;
  if (body === undefined) {
    verdict.body = [];
    return undefined;
  }
  const read = body.required || hasBody(ctx.req) ? await readBody(ctx, body.form) : leftOut;
  call.raw = read.raw;
  if ('failure' in read) {
    verdict.body = read;
    return read.failure;
  }
  if ('invalid' in read) return envelope.invalid(read.invalid);
  verdict.sent = read.value;
  const unknown: string[] = [];
  const documented = pickFields(read.value, body.shape, unknown);
  call.body = documented;
  if (!body.closed) for (const pointer of unknown) notices.push(`unknown field ${pointer} ignored`);
  const issues = body.check(body.closed ? read.value : documented);
  verdict.body = issues ?? [];
  if (issues === undefined) {
    if (body.form) call.key = (documented as { readonly form_key?: string }).form_key;
    return undefined;
  }
  // List unknown fields first, because a misspelt field explains a missing one.
  const [first, ...more] = issues.toSorted((one, other) => Number(isSurplus(other)) - Number(isSurplus(one)));
  return envelope.invalid(combined([first ?? issues[0], ...more]));
}

function isSurplus({ keyword }: Issue): boolean {
  return keyword === 'additionalProperties';
}

/** Runs the handler, or replays the stored reply of an earlier call with the same key (OP-20). */
export function answer(ctx: OperationContext, call: OperationCall): Promise<Outcome> {
  const { key, raw, notices, caller, party, bound } = call;
  const { idempotency, identity } = bound.api;
  if (key === undefined || idempotency === undefined) return run(ctx, call, undefined);
  // Encoded as JSON, because any part may contain a separator character.
  const id = JSON.stringify([bound.operation.operationId, identity?.(caller) ?? '', key]);
  return onceByKey({ id, raw, notices }, idempotency(party), (keeping) => run(ctx, call, keeping));
}

async function run(ctx: OperationContext, call: OperationCall, keeping: Keeping | undefined): Promise<WrittenReply> {
  const { bound, party, replies, caller, parameters, body } = call;
  const { query, path, header } = parameters;
  const { origin, trace, slot } = ctx.state;
  let stored: WrittenReply | undefined;
  const keepIn = (tx: KeepingTx, written: WrittenReply) => {
    if (keeping !== undefined) keepReply(tx, keeping, written);
  };
  const keep: AnyCall['keep'] = (tx, answer) => {
    stored = replies.answer(answer);
    // Throw to roll back the transaction, so that a reply that violates the contract has no effect.
    if (stored.status === 500) throw new Error('the response violates its contract');
    keepIn(tx, stored);
    return answer;
  };
  const gone = leaving(ctx);
  const sent = { query, path, header, body, caller, trace, isAddressed: origin.addressKey === 'known' };
  const around = { prefersPage: () => prefersPage(ctx), gone, patience: patienceOf(slot, gone), keep };
  const answered = await bound.handler(party, { ...sent, ...around } as unknown as AnyCall);
  if (stored !== undefined) return stored;
  const written = replies.answer(answered);
  const final = written.status !== 500 && written.status !== 503 && !bound.api.keepsEffectsOnly;
  if (keeping !== undefined && final) await keeping.store.transact((tx) => keepIn(tx, written));
  return written;
}
