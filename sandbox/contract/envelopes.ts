/** The two error envelopes of the interface, and the one table each that fills them (X1, X5; OP-13 to OP-21). */
import type { InvalidRequest } from '../domain/failures.ts';
import { clientTable, type FlatFailure, flatTable, shortened, type WrappedFailure } from './failure-tables.ts';
import { nodeHttp } from './node-http.ts';
import type { FailureTable } from './types.ts';

/** A failure as it goes over the wire. */
export interface Rendered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Turns an API's failures into its envelope. */
export interface Envelope<F> {
  render(failure: F): Rendered;
  /** An error with a status and no other details. */
  plain(status: number): Rendered;
  /** The failure for a request part that is not as the contract says; `named` is the parameter's own `x-failure`. */
  invalid(found: InvalidRequest, named?: string): F;
  /** The failure for a caller whose credential does not hold, or is missing. */
  unauthenticated(missing: boolean): F;
  /** Headers of every reply, unless the reply has its own. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** The flat envelope: `name`, `message`, `code`, `status`, `type`. */
export const flatEnvelope: Envelope<FlatFailure> = {
  render(failure) {
    const { status, code, text } = look(flatTable, failure);
    return { status, body: flatBody(status, code, text), headers: flatHeaders(failure) };
  },
  plain: (status) => ({ status, body: flatBody(status, codeOf(status), reason(status)), headers: {} }),
  invalid(found, named) {
    return named === 'invalid_type' || named === 'invalid_cursor' || named === 'invalid_limit'
      ? { kind: named }
      : { kind: 'invalid_request', ...found };
  },
  unauthenticated: (missing) => ({ kind: 'unauthorized', missing }),
};

/** The client's envelope for its operations under a bearer token, where a bad token is 422 (OP-37). */
export const clientEnvelope: Envelope<WrappedFailure> = {
  render(failure) {
    const { status, code, text } = look(clientTable, failure);
    return { status, body: wrapped(flatBody(status, code, text)), headers: clientHeaders(failure) };
  },
  plain: (status) => ({ status, body: wrapped(flatBody(status, 0, reason(status))), headers: {} }),
  invalid: (found) => ({ kind: 'mandatory_details', ...found }),
  unauthenticated: (missing) => ({ kind: 'token_invalid', missing }),
};

/** The client's envelope for its operations under Basic credentials, where bad ones are 401 (OP-37). */
export const authEnvelope: Envelope<WrappedFailure> = {
  ...clientEnvelope,
  unauthenticated: () => ({ kind: 'unauthorized' }),
};

function look<F extends { readonly kind: string }>(
  table: FailureTable<F>,
  failure: F,
): { status: number; code: number; text: string } {
  const { status, code, message } = table[failure.kind as F['kind']];
  return { status, code, text: typeof message === 'string' ? message : message(failure as never) };
}

function flatBody(status: number, code: number, message: string) {
  return { name: reason(status), message, code, status, type: exception(status) };
}

function wrapped(data: ReturnType<typeof flatBody>) {
  return { success: false, status: data.status, data };
}

/** The message of a failure in the flat envelope; undefined for any other body, which the replying side designs. */
export function flatMessage(body: unknown): string | undefined {
  const message = (body as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : undefined;
}

/** What a failure in the wrapped envelope says; undefined of anything else. */
export function wrappedMessage(body: unknown): string | undefined {
  return flatMessage((body as { data?: unknown } | null | undefined)?.data);
}

/** The code of the first condition with this status, 0 if there is none. */
function codeOf(status: number): number {
  return Object.values(flatTable).find((condition) => condition.status === status)?.code ?? 0;
}

/** What was wrong with the client's server, for the caller: the fixed message does not say it (OP-150). */
export function clientProblem(reason: string): Record<string, string> {
  const shortReason = shortened(reason, mostOfReason);
  return { 'X-Problem': inHeader(`the client's server: ${shortReason}; see /docs/errors#client_no_answer`) };
}

/** Most characters of a list of problems: clients accept some 8 KiB of headers. */
const mostOfProblem = 2000;
/** Most characters of a reason: it can quote the response of another server. */
const mostOfReason = 300;
/** A text as a header can carry it: not every character of a pointer or a message can be in one. */
function inHeader(text: string): string {
  return text.replace(/[^ -~]/g, '?');
}

function flatHeaders(failure: FlatFailure): Record<string, string> {
  if (failure.kind === 'client_no_answer') return clientProblem(failure.reason);
  if (failure.kind === 'unauthorized') return bearerChallenge('rewards-sandbox', failure);
  if (failure.kind === 'rate_limited') {
    const { limit, retryAfterSeconds: seconds } = failure;
    return { 'Retry-After': String(seconds), ...rateLimitHeaders({ limit, left: 0, seconds }) };
  }
  return failure.kind === 'unavailable' ? unavailableHeaders(failure) : {};
}

function unavailableHeaders({ problem }: { readonly problem?: string }): Record<string, string> {
  return { 'Retry-After': '1', ...(problem !== undefined && { 'X-Problem': problem }) };
}

function clientHeaders(failure: WrappedFailure): Record<string, string> {
  switch (failure.kind) {
    case 'token_invalid':
      return bearerChallenge('rewards-client', failure);
    case 'unauthorized':
      return { 'WWW-Authenticate': 'Basic realm="rewards-client", charset="UTF-8"' };
    case 'mandatory_details':
    case 'points_mismatch':
    case 'unknown_project':
      return { 'X-Problem': inHeader(shortened(`${failure.where} ${failure.problem}`, mostOfProblem)) };
    case 'otp_limit_reached':
      return { 'X-Problem': `the next code can be sent in ${failure.waitSeconds} s` };
    case 'unavailable':
      return unavailableHeaders(failure);
    default:
      return {};
  }
}

/** A caller that sent no credential gets the scheme and no error code (RFC 6750, 3.1; OP-37). */
function bearerChallenge(realm: string, { missing = false }: { readonly missing?: boolean }) {
  return { 'WWW-Authenticate': missing ? `Bearer realm="${realm}"` : 'Bearer error="invalid_token"' };
}

/** The interface spells 422's phrase with a small second word. */
function reason(status: number): string {
  return status === 422 ? 'Unprocessable entity' : (nodeHttp.STATUS_CODES[status] ?? 'Error');
}

/** A server exception class name, as the interface's envelopes carry one (OP-14). */
function exception(status: number): string {
  const names: Record<number, string> = { 422: 'UnprocessableEntity', 500: 'ServerError' };
  return `${names[status] ?? reason(status).replaceAll(/[^A-Za-z]/g, '')}HttpException`;
}

/** What is left of a company's quota. */
export interface Quota {
  /** Requests that are accepted in an hour. */
  readonly limit: number;
  readonly left: number;
  /** The time until one more request is free. */
  readonly seconds: number;
}

/**
 * The headers that tell what is left: structured fields (RFC 9651), as the draft on RateLimit headers has them (OP-30).
 * Both are a list of one name with whole numbers, written out here because every accepted call carries them.
 */
export function rateLimitHeaders({ limit, left, seconds }: Quota): Record<'RateLimit' | 'RateLimit-Policy', string> {
  return { RateLimit: `"hour";r=${left};t=${seconds}`, 'RateLimit-Policy': `"hour";q=${limit};w=3600` };
}
