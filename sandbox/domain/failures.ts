/**
 * The failures that the parties can return, as values. The `kind` of a failure is the name of its example in the
 * contract. The API's table in `contract/failure-tables.ts` maps it to a status, code and message. This file is
 * independent of HTTP; failures of the request itself are in `contract/failure-tables.ts`.
 */

/** A missing or malformed part of a request. `where` is a JSON pointer or the name of a parameter. */
export interface InvalidRequest {
  readonly where: string;
  readonly problem: string;
}

/** A refused request, for reasons that its schema does not cover. */
export type Refused = { readonly kind: 'invalid_request' } & InvalidRequest;

/** Returns the failure for a request that is invalid for a reason that its schema does not cover. */
export function invalid(where: string, problem: string): Refused {
  return { kind: 'invalid_request', where, problem };
}

/** A failure of each of these kinds, with the same fields. */
type Failure<Kind extends string, Fields = unknown> = Kind extends string ? { readonly kind: Kind } & Fields : never;

/** The failures of the platform and the control API (OP-13). */
export type PlatformFailure =
  | Failure<'invalid_request', InvalidRequest>
  | Failure<'invalid_type' | 'invalid_cursor' | 'invalid_limit' | 'invalid_secret' | 'invalid_login'>
  | Failure<'blocked_server' | 'idempotency_conflict' | 'transaction_conflict' | 'reference_conflict'>
  /** `missing` is true if no credential was sent. */
  | { readonly kind: 'unauthorized'; readonly missing?: boolean }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number; readonly limit: number }
  | { readonly kind: 'insufficient_balance'; readonly needed: number; readonly available: number }
  | { readonly kind: 'product_not_available'; readonly sku: string }
  | { readonly kind: 'refused_by_client'; readonly message: string }
  /** With `ours`, this process cannot serve the call at present. */
  | { readonly kind: 'client_no_answer'; readonly reason: string; readonly ours?: OwnInterruption }
  | { readonly kind: 'already_exists'; readonly id: string }
  | { readonly kind: 'limit_reached'; readonly limit: number; readonly what: string; readonly remedy?: string }
  | { readonly kind: 'snapshot_damaged'; readonly id: string };

/** The failures of the client (B8, B9, X1; OP-15 to OP-21). */
export type ClientFailure =
  | Failure<'mandatory_details' | 'points_mismatch' | 'unknown_project', InvalidRequest>
  | Failure<'unauthorized' | 'unknown_customer' | 'points_changed' | 'transaction_conflict' | 'redemption_conflict'>
  | Failure<'unknown_redeem_code' | 'order_already_delivered' | 'order_already_rejected' | 'status_mismatch'>
  | Failure<'otp_wrong' | 'otp_expired' | 'otp_used' | 'otp_replaced' | 'otp_tries_exceeded' | 'otp_unknown_reference'>
  | Failure<'customer_locked'>
  /** `missing` is true if no token was sent. */
  | { readonly kind: 'token_invalid'; readonly missing?: boolean }
  | { readonly kind: 'otp_limit_reached'; readonly waitSeconds: number };

/** Another party's answer to a call: acceptance, refusal in its own words, or no usable answer. */
export type Answer<T = unknown> =
  | { readonly kind: 'accepted'; readonly body: T }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'no_answer'; readonly reason: string; readonly ours?: OwnInterruption };

/**
 * The way in which this process prevented an answer: it did not send the call, or interrupted it. The other party's
 * decision is unknown.
 */
export type OwnInterruption = 'not_sent' | 'broken_off';

/** An answer other than acceptance. */
export type NotAccepted = Exclude<Answer, { kind: 'accepted' }>;

/** Returns the party's own message for a refusal, or the reason for a missing answer. */
export function wordsOf(answer: NotAccepted): string {
  return answer.kind === 'refused' ? answer.message : answer.reason;
}
