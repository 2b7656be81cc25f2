/** Builds the server's replies: the documented envelopes, and the mistakes that change them. */
import { STATUS_CODES } from 'node:http';
import type { MistakeName } from './mistakes.ts';

/** A reply. A text body is sent unchanged. */
export interface Reply {
  readonly status: number;
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Builds a successful reply. */
export function success(body: object): Reply {
  return { status: 200, body };
}

/** The success of an operation without a result. */
export const done = success({ success: true, status: 200 });

const refusals = {
  token_invalid: [422, 'Token Invalid'],
  mandatory_details: [422, 'Please enter the mandatory details to proceed further.'],
  points_changed: [422, 'User points have changed.'],
  unknown_customer: [422, 'Unknown customer.'],
  transaction_conflict: [422, 'transactionId was used with other values.'],
  redemption_conflict: [422, 'redeemCode was used with other values.'],
  points_mismatch: [422, 'Points do not add up.'],
  unknown_project: [422, 'Unknown project.'],
  order_already_delivered: [422, 'Order already Delivered.'],
  order_already_rejected: [422, 'Order already Rejected.'],
  unknown_redeem_code: [422, 'Unknown redeemCode.'],
  status_mismatch: [422, 'status and orderStatus differ.'],
  otp_wrong: [422, 'Incorrect OTP.'],
  otp_expired: [422, 'OTP has expired.'],
  otp_used: [422, 'OTP has already been used.'],
  otp_replaced: [422, 'A newer OTP was sent. Use that one.'],
  otp_tries_exceeded: [422, 'Too many attempts for this OTP. Request a new one.'],
  otp_unknown_reference: [422, 'Unknown reference_id.'],
  otp_limit_reached: [422, 'Too many OTP requests. Try again later.'],
  customer_locked: [422, 'Customer is locked. Try again later.'],
  malformed_json: [400, 'Invalid request: the body is not well-formed JSON'],
  duplicate_authorization: [400, 'Invalid request: more than one Authorization header'],
  unauthorized: [401, 'Missing or invalid Basic credentials'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  length_required: [411, 'Content-Length is missing'],
  head_too_large: [431, 'Request head is too large'],
  body_too_large: [413, 'Request body is larger than 64 KiB'],
  unsupported_media_type: [415, 'Content-Type must be application/json'],
  internal_error: [500, 'Internal error'],
} as const satisfies Record<string, readonly [number, string]>;

/** The reason for a refusal. */
export type Refusal = keyof typeof refusals;

/** Builds a refusal in the documented envelope. */
export function refuse(why: Refusal, headers: Readonly<Record<string, string>> = {}): Reply {
  const [status, message] = refusals[why];
  return envelope(status, message, headers);
}

/** Builds the refusal of an invalid token with status 401, for a mistake. */
export function tokenUnder401(): Reply {
  return envelope(401, 'Token Invalid', {});
}

function envelope(status: number, message: string, headers: Readonly<Record<string, string>>): Reply {
  const name = status === 422 ? 'Unprocessable entity' : (STATUS_CODES[status] ?? 'Error');
  const words = name.split(/[^A-Za-z]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const type = `${words.join('')}HttpException`;
  return { status, headers, body: { success: false, status, data: { name, message, code: 0, status, type } } };
}

type Change = (reply: Reply, operation: string) => Reply;

/** Changes the value at a path in the successful replies of one operation. `undefined` removes the value. */
function value(operation: string, path: string, change: (value: unknown) => unknown): Change {
  return (reply, of) => (of === operation && reply.status === 200 ? changeAt(reply, path, change) : reply);
}

/** Changes the value at a path in each 422 reply. */
function refusal(path: string, change: (value: unknown) => unknown): Change {
  return (reply) => (reply.status === 422 ? changeAt(reply, path, change) : reply);
}

function changeAt(reply: Reply, path: string, change: (value: unknown) => unknown): Reply {
  const body = structuredClone(reply.body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = body as Record<string, unknown>;
  for (const name of names) place = place[name] as Record<string, unknown>;
  const after = change(place[last]);
  if (after === undefined) delete place[last];
  else place[last] = after;
  return { ...reply, body };
}

const without = () => undefined;
const html = (status: number, title: string): Reply => {
  return { status, headers: { 'content-type': 'text/html' }, body: `<!doctype html><title>${title}</title>` };
};
const profile = 'getProfileAndPoints';
const mandatory = refusals.mandatory_details[1];

/** The mistakes that change only the reply. */
const changes: Partial<Record<MistakeName, Change>> = {
  'token-message': refusal('data.message', (text) => (text === 'Token Invalid' ? 'Unauthorized' : text)),
  'error-name': refusal('data.name', () => 'Unprocessable Entity'),
  'error-message-missing': refusal('data.message', without),
  'error-code': refusal('data.code', () => 422),
  'error-data-status': refusal('data.status', () => 400),
  'error-type-missing': refusal('data.type', without),
  'error-status-text': refusal('status', String),
  'error-success-true': refusal('success', () => true),
  'error-no-data': refusal('data', without),
  'error-flat': (reply) =>
    reply.status === 422 ? { ...reply, body: Reflect.get(reply.body as object, 'data') } : reply,
  'error-200': (reply) => (reply.status === 422 ? { ...reply, status: 200 } : reply),
  'error-html': (reply) => (reply.status === 422 ? html(422, 'Unprocessable entity') : reply),
  'mandatory-message': refusal('data.message', (text) => (text === mandatory ? 'Validation failed' : text)),
  'balance-text': value(profile, 'points.balance', String),
  'balance-null': value(profile, 'points.balance', () => null),
  'points-float': value(profile, 'points.balance', (balance) => Number(balance) + 0.5),
  'points-missing': value(profile, 'points', without),
  'profile-missing': value(profile, 'profile', without),
  'total-earned-missing': value(profile, 'points.totalEarned', without),
  'uid-missing': value(profile, 'profile.uid', without),
  'pan-missing': value(profile, 'profile.pan', without),
  'pincode-text': value(profile, 'profile.pincode', String),
  'state-text': value(profile, 'profile.state', String),
  'project-id-text': value(profile, 'profile.projectId', String),
  'dob-iso': value(profile, 'profile.dob', (dob) => String(dob).split('/').reverse().join('-')),
  'foreign-profile': value(profile, 'profile.uid', (uid) => `${uid}-OTHER`),
  'success-text': value('saveRedeemDetails', 'success', String),
  'status-text': value('updateRedeemStatus', 'status', String),
  'done-empty': (reply, of) => (of === 'saveRedeemDetails' && reply.status === 200 ? { ...reply, body: {} } : reply),
  'credit-done-empty': (reply, of) => (of === 'creditPoints' && reply.status === 200 ? { ...reply, body: {} } : reply),
  'content-type-text': (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }),
  'otp-no-reference': value('generateOtp', 'reference_id', without),
  'otp-no-token': value('verifyOtp', 'token', without),
  'otp-no-expiry': value('verifyOtp', 'expires_in', without),
  'otp-no-points': value('verifyOtp', 'points', without),
  'otp-token-opaque': value('verifyOtp', 'token', (token) => String(token).replaceAll('.', '')),
  'v2-points-missing': value('getCustomerPoints', 'points', without),
  'v2-no-customer-id': value('getCustomerPoints', 'customer_id', without),
  'v2-balance-text': (reply, of) =>
    value(of, 'balance', (n) => (of.endsWith('Points') && n !== undefined ? String(n) : n))(reply, of),
  'no-allow': (reply) => (reply.status === 405 ? { ...reply, headers: {} } : reply),
  'not-found-html': (reply) => (reply.status === 404 ? html(404, 'Not found') : reply),
};

/** Returns the reply with the mistake applied. */
export function withMistake(reply: Reply, operation: string, mistake: MistakeName | undefined): Reply {
  return (mistake === undefined ? undefined : changes[mistake])?.(reply, operation) ?? reply;
}
