/** The failures of a call, with one table per envelope for their status, code and message. */

import type { ClientFailure, InvalidRequest, PlatformFailure } from '../domain/failures.ts';
import { redemptionTexts } from '../domain/ledger.ts';
import { noUsableAnswer, refusedByClient } from '../domain/order.ts';
import type { FailureTable } from './types.ts';

/** A failure that any request can have before its operation runs. */
export type RequestFailure =
  | { readonly kind: 'duplicate_authorization' }
  | { readonly kind: 'malformed_json' }
  | { readonly kind: 'malformed_http' }
  | { readonly kind: 'foreign_host' }
  | { readonly kind: 'foreign_site' }
  | { readonly kind: 'own_call' }
  | { readonly kind: 'body_too_large' }
  | { readonly kind: 'headers_too_large' }
  | { readonly kind: 'unsupported_media_type' }
  /** `what` names the missing resource and its id. `problem` explains to the caller how to find it. */
  | NotFound
  | { readonly kind: 'method_not_allowed' }
  | { readonly kind: 'internal_error' }
  /** If `ofTenant` is true, the limit applies to all workspaces of a tenant together. */
  | { readonly kind: 'workspace_full'; readonly maxBytes: number; readonly ofTenant?: boolean }
  | { readonly kind: 'unavailable'; readonly problem?: string }
  | { readonly kind: 'store_gave_up' };

/** A resource that a call refers to but that does not exist. */
export interface NotFound {
  readonly kind: 'not_found';
  readonly what?: string;
  readonly problem?: string;
}

/** A failure in the flat envelope, which the platform's APIs and the control API use. */
export type FlatFailure = RequestFailure | PlatformFailure;

/** A failure in the wrapped envelope, which the APIs hosted by the client use. */
export type WrappedFailure = RequestFailure | ClientFailure;

/** Request failures that both envelopes share, except for their code. */
const requestRows = <const Code extends number>(code: Code) =>
  ({
    malformed_json: { status: 400, code, message: 'Invalid request: the body is not well-formed JSON' },
    malformed_http: { status: 400, code, message: 'Invalid request: the request is not well-formed HTTP' },
    foreign_host: {
      status: 400,
      code,
      message: 'Invalid request: the Host header does not name this sandbox; add the name with --allow-host',
    },
    foreign_site: { status: 400, code, message: 'Invalid request: the request was sent from a page of another site' },
    own_call: {
      status: 400,
      code,
      message: 'Invalid request: the call comes from a sandbox, which may only call clients',
    },
    duplicate_authorization: { status: 400, code, message: 'Invalid request: more than one Authorization header' },
  }) as const;
const storeGaveUp = 'A disk write failed, so no more changes are accepted. See the terminal, then restart the sandbox';

/** Formats a number of bytes in KiB or MiB, rounded down. */
function sizeText(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.floor(bytes / 2 ** 10)} KiB` : `${Math.floor(bytes / 2 ** 20)} MiB`;
}

/** Maximum length of a name in a message, in characters. Unknown fields and paths can be longer. */
const mostOfName = 200;

/** Truncates text to `most` characters and appends `...` if it is longer. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}...` : text;
}

/** Combines all issues of a request into one failure, whose message lists the further fields after the first. */
export function combined([first, ...others]: readonly [InvalidRequest, ...InvalidRequest[]]): InvalidRequest {
  const listed = others.map(({ where, problem }) => `; ${fieldName(where)} ${problem}`);
  return { where: fieldName(first.where), problem: first.problem + listed.join('') };
}

/** Returns the name of a field for a message. The pointer of a body's root is empty. */
function fieldName(where: string): string {
  return shortened(where || 'body', mostOfName);
}

/** Returns the message of a 404 reply. */
function notFoundText({ what }: NotFound): string {
  return what === undefined ? 'Not found' : `${shortened(what, mostOfName)} does not exist`;
}

/** Failures of the platform and the control API, in the flat envelope. */
export const flatTable = {
  invalid_type: { status: 400, code: 50, message: 'Invalid type filter value' },
  invalid_cursor: { status: 400, code: 51, message: 'Invalid or expired cursor' },
  invalid_limit: { status: 400, code: 52, message: 'Invalid limit' },
  invalid_request: { status: 400, code: 53, message: ({ where, problem }) => `Invalid request: ${where} ${problem}` },
  ...requestRows(53),
  unauthorized: { status: 401, code: 40, message: 'Missing or invalid token' },
  invalid_secret: { status: 401, code: 40, message: 'Invalid company secret' },
  invalid_login: { status: 401, code: 40, message: 'Invalid username or password' },
  blocked_server: { status: 403, code: 43, message: 'Server not allowed' },
  not_found: { status: 404, code: 44, message: notFoundText },
  method_not_allowed: { status: 405, code: 60, message: 'Method not allowed' },
  idempotency_conflict: { status: 409, code: 58, message: 'Idempotency-Key was used with another body' },
  transaction_conflict: { status: 409, code: 58, message: 'transactionId was used with other values' },
  reference_conflict: { status: 409, code: 58, message: 'reference_id was used for another order' },
  already_exists: { status: 409, code: 66, message: ({ id }) => `Already exists: ${id}` },
  limit_reached: {
    status: 409,
    code: 67,
    message: ({ limit, what, remedy = 'delete one first' }) => `No more than ${limit} ${what}: ${remedy}`,
  },
  workspace_full: {
    status: 409,
    code: 67,
    message: ({ maxBytes, ofTenant }) =>
      ofTenant
        ? `Your workspaces have reached their combined limit of ${sizeText(maxBytes)}: delete data, or a workspace`
        : `The workspace has reached its limit of ${sizeText(maxBytes)}: delete data, or reset the workspace`,
  },
  snapshot_damaged: {
    status: 409,
    code: 70,
    message: ({ id }) => `Snapshot ${id} is damaged: delete it, or restore its folder from a backup`,
  },
  body_too_large: { status: 413, code: 61, message: 'Request body is larger than 64 KiB' },
  unsupported_media_type: { status: 415, code: 62, message: 'Content-Type must be application/json' },
  headers_too_large: { status: 431, code: 63, message: 'Request headers or URL are larger than 16 KiB' },
  insufficient_balance: {
    status: 422,
    code: 54,
    message: ({ needed, available }) => `Insufficient balance: ${needed} points needed, ${available} available`,
  },
  product_not_available: { status: 422, code: 55, message: ({ sku }) => `Product not available: ${sku}` },
  refused_by_client: { status: 422, code: 56, message: ({ message }) => refusedByClient(message) },
  rate_limited: { status: 429, code: 59, message: 'Rate limit exceeded' },
  internal_error: { status: 500, code: 64, message: 'Internal error' },
  client_no_answer: { status: 502, code: 57, message: noUsableAnswer },
  unavailable: { status: 503, code: 65, message: 'Temporarily unavailable' },
  store_gave_up: { status: 503, code: 69, message: storeGaveUp },
} as const satisfies FailureTable<FlatFailure>;

const mandatory = 'Please enter the mandatory details to proceed further.';

/** Failures of all APIs hosted by the client, in the wrapped envelope. Their code is always 0. */
export const clientTable = {
  token_invalid: { status: 422, code: 0, message: 'Token Invalid' },
  mandatory_details: { status: 422, code: 0, message: mandatory },
  points_changed: { status: 422, code: 0, message: redemptionTexts.points_changed },
  unknown_customer: { status: 422, code: 0, message: 'Unknown customer.' },
  transaction_conflict: { status: 422, code: 0, message: 'transactionId was used with other values.' },
  redemption_conflict: { status: 422, code: 0, message: redemptionTexts.redemption_conflict },
  points_mismatch: { status: 422, code: 0, message: 'Points do not add up.' },
  unknown_project: { status: 422, code: 0, message: 'Unknown project.' },
  order_already_delivered: { status: 422, code: 0, message: redemptionTexts.order_already_delivered },
  order_already_rejected: { status: 422, code: 0, message: redemptionTexts.order_already_rejected },
  unknown_redeem_code: { status: 422, code: 0, message: redemptionTexts.unknown_redeem_code },
  status_mismatch: { status: 422, code: 0, message: 'status and orderStatus differ.' },
  otp_wrong: { status: 422, code: 0, message: 'Incorrect OTP.' },
  otp_expired: { status: 422, code: 0, message: 'OTP has expired.' },
  otp_used: { status: 422, code: 0, message: 'OTP has already been used.' },
  otp_replaced: { status: 422, code: 0, message: 'A newer OTP was sent. Use that one.' },
  otp_tries_exceeded: { status: 422, code: 0, message: 'Too many attempts for this OTP. Request a new one.' },
  otp_unknown_reference: { status: 422, code: 0, message: 'Unknown reference_id.' },
  otp_limit_reached: { status: 422, code: 0, message: 'Too many OTP requests. Try again later.' },
  customer_locked: { status: 422, code: 0, message: 'Customer is locked. Try again later.' },
  ...requestRows(0),
  unauthorized: { status: 401, code: 0, message: 'Missing or invalid Basic credentials' },
  not_found: { status: 404, code: 0, message: notFoundText },
  method_not_allowed: { status: 405, code: 0, message: 'Method not allowed' },
  workspace_full: { status: 409, code: 0, message: 'The workspace is full: delete data, or reset it.' },
  body_too_large: { status: 413, code: 0, message: 'Request body is larger than 64 KiB' },
  unsupported_media_type: { status: 415, code: 0, message: 'Content-Type must be application/json' },
  headers_too_large: { status: 431, code: 0, message: 'Request headers or URL are larger than 16 KiB' },
  internal_error: { status: 500, code: 0, message: 'Internal error' },
  unavailable: { status: 503, code: 0, message: 'Temporarily unavailable' },
  store_gave_up: { status: 503, code: 0, message: storeGaveUp },
} as const satisfies FailureTable<WrappedFailure>;
