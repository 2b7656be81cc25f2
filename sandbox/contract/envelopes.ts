/** The two error envelopes of the interface, each with its own failure table (X1, X5; OP-13 to OP-21). */
import type { InvalidRequest } from '../domain/failures.ts';
import { clientTable, type FlatFailure, flatTable, shortened, type WrappedFailure } from './failure-tables.ts';
import { nodeHttp } from './node-http.ts';
import type { FailureTable } from './types.ts';

/** A failure in its wire format. */
export interface Rendered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Renders the failures of an API in its envelope. */
export interface Envelope<F> {
  render(failure: F): Rendered;
  /** Renders an error that has a status and no other details. */
  plain(status: number): Rendered;
  /** Returns the failure for an invalid part of a request. `named` is the parameter's own `x-failure`. */
  invalid(found: InvalidRequest, named?: string): F;
  /** Returns the failure for a caller whose credential is invalid or missing. */
  unauthenticated(missing: boolean): F;
  /** Default headers of every reply. A reply's own headers override them. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** The flat envelope, with `name`, `message`, `code`, `status` and `type`. */
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

/** The client's envelope for operations that require a bearer token. An invalid token results in 422 (OP-37). */
export const clientEnvelope: Envelope<WrappedFailure> = {
  render(failure) {
    const { status, code, text } = look(clientTable, failure);
    return { status, body: wrapped(flatBody(status, code, text)), headers: clientHeaders(failure) };
  },
  plain: (status) => ({ status, body: wrapped(flatBody(status, 0, reason(status))), headers: {} }),
  invalid: (found) => ({ kind: 'mandatory_details', ...found }),
  unauthenticated: (missing) => ({ kind: 'token_invalid', missing }),
};

/** The client's envelope for operations that require Basic credentials. Invalid credentials result in 401 (OP-37). */
export const authEnvelope: Envelope<WrappedFailure> = {
  ...clientEnvelope,
  unauthenticated: () => ({ kind: 'unauthorized' }),
};

function look<F extends { readonly kind: string }>(table: FailureTable<F>, failure: F) {
  const { status, code, message } = table[failure.kind as F['kind']];
  return { status, code, text: typeof message === 'string' ? message : message(failure as never) };
}

function flatBody(status: number, code: number, message: string) {
  return { name: reason(status), message, code, status, type: exception(status) };
}

function wrapped(data: ReturnType<typeof flatBody>) {
  return { success: false, status: data.status, data };
}

/** Returns the message of a body in the flat envelope, or `undefined` for any other body. */
export function flatMessage(body: unknown): string | undefined {
  const message = (body as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : undefined;
}

/** Returns the message of a body in the wrapped envelope, or `undefined` for any other body. */
export function wrappedMessage(body: unknown): string | undefined {
  return flatMessage((body as { data?: unknown } | null | undefined)?.data);
}

/** Returns the code of the first failure with this status, or 0 if there is none. */
function codeOf(status: number): number {
  return Object.values(flatTable).find((condition) => condition.status === status)?.code ?? 0;
}

/** Returns the header that describes the problem with the client's server. The message itself is fixed (OP-150). */
export function clientProblem(reason: string): Record<string, string> {
  const shortReason = shortened(reason, mostOfReason);
  return { 'X-Problem': inHeader(`the client's server: ${shortReason}; see /docs/errors#client_no_answer`) };
}

/** Maximum length of a list of problems, in characters. Clients accept about 8 KiB of headers. */
const mostOfProblem = 2000;
/** Maximum length of a reason, in characters. It can quote another server's response. */
const mostOfReason = 300;
/** Replaces characters that a header cannot contain. Pointers and messages can include them. */
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
  const { kind } = failure;
  if (kind === 'token_invalid') return bearerChallenge('rewards-client', failure);
  if (kind === 'unauthorized') return { 'WWW-Authenticate': 'Basic realm="rewards-client", charset="UTF-8"' };
  if (kind === 'mandatory_details' || kind === 'points_mismatch' || kind === 'unknown_project')
    return { 'X-Problem': inHeader(shortened(`${failure.where} ${failure.problem}`, mostOfProblem)) };
  if (kind === 'otp_limit_reached') return { 'X-Problem': `the next code can be sent in ${failure.waitSeconds} s` };
  return kind === 'unavailable' ? unavailableHeaders(failure) : {};
}

/** Returns the bearer challenge. A caller without a credential receives no error code (RFC 6750, 3.1; OP-37). */
function bearerChallenge(realm: string, { missing = false }: { readonly missing?: boolean }) {
  return { 'WWW-Authenticate': missing ? `Bearer realm="${realm}"` : 'Bearer error="invalid_token"' };
}

/** Returns the reason phrase of a status. The interface writes the phrase of 422 with a lower-case second word. */
function reason(status: number): string {
  return status === 422 ? 'Unprocessable entity' : (nodeHttp.STATUS_CODES[status] ?? 'Error');
}

/** Returns the exception class name that the interface's envelopes contain for a status (OP-14). */
function exception(status: number): string {
  const names: Record<number, string> = { 422: 'UnprocessableEntity', 500: 'ServerError' };
  return `${names[status] ?? reason(status).replaceAll(/[^A-Za-z]/g, '')}HttpException`;
}

/** A company's quota and its remaining requests. */
export interface Quota {
  /** Maximum number of requests per hour. */
  readonly limit: number;
  readonly left: number;
  /** Seconds until one more request is available. */
  readonly seconds: number;
}

/**
 * Returns the rate limit headers, as structured fields (RFC 9651) from the RateLimit header draft (OP-30). They are
 * formatted without a library, because every accepted call carries them.
 */
export function rateLimitHeaders({ limit, left, seconds }: Quota): Record<'RateLimit' | 'RateLimit-Policy', string> {
  return { RateLimit: `"hour";r=${left};t=${seconds}`, 'RateLimit-Policy': `"hour";q=${limit};w=3600` };
}
