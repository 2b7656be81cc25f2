import { type Advice, never } from './advice.ts';

/** Advice on failures that only the client returns. */
export const clientAdvice = {
  mandatory_details: {
    title: 'Mandatory details missing',
    cause:
      'A field is missing, empty or malformed. The message is always the same; the header `X-Problem` names the field.',
    fix: 'Read `X-Problem`. Send numbers as strings: `"250"`, not `250`.',
    retry: never,
  },
  token_invalid: {
    title: 'Token Invalid',
    cause:
      'The bearer token is missing, expired, forged, belongs to another customer, or is of the wrong kind (a JWT instead of the service token, or vice versa).',
    fix: "Send the customer's JWT in a customer session, otherwise the service token. If the JWT has expired, sign in again.",
    retry: 'Yes, with a valid token. The call had no effect.',
  },
  unknown_customer: {
    title: 'Unknown customer',
    cause: 'The client has no customer with this id.',
    fix: 'Use an id from `GET /sandbox/v1/customers`, or create a customer there.',
    retry: never,
  },
  points_changed: {
    title: 'User points have changed',
    cause: 'The balance dropped below the cost of the order between the check and the deduction.',
    fix: 'Your server must return this error, and deduct nothing, whenever the balance is less than `totalPointWithProcessingFee`.',
    retry: 'As a new order, once the customer has enough points.',
  },
  redemption_conflict: {
    title: 'redeemCode used with other values',
    cause: 'This `redeemCode` was already used with another customer or other points.',
    fix: 'Repeat exactly the same record. Use a unique code for each redemption.',
    retry: never,
  },
  points_mismatch: {
    title: 'Points do not add up',
    cause:
      '`totalpoints` is not `redeemPoints` plus `tdsSingleItem` for each unit, or `totalPointWithProcessingFee` is not `totalpoints` plus `processingFee`. `X-Problem` names the field.',
    fix: 'Check the four numbers on your own server too: a ledger that deducts a wrong total also refunds a wrong total.',
    retry: never,
  },
  unknown_project: {
    title: 'Unknown project',
    cause: '`scheme` or `projectCode` is not the project code of the customers.',
    fix: 'Send the `projectCode` of the profile.',
    retry: never,
  },
  unknown_redeem_code: {
    title: 'Unknown redeemCode',
    cause: 'The client has no redemption with this code.',
    fix: 'On your own server, remember a `Rejected` for an unknown code, and refuse a deduction that arrives later.',
    retry: 'No. The platform accepts this response to a `Rejected` as final.',
  },
  order_already_delivered: {
    title: 'Order already Delivered',
    cause: 'A status update contradicts the final status.',
    fix: 'No action on the client: points stay unchanged. Find the second status update in the timeline of the redemption.',
    retry: never,
  },
  order_already_rejected: {
    title: 'Order already Rejected',
    cause:
      'A status update or deduction arrived for a redemption that was rejected, or that the client reversed because it was pending for too long.',
    fix: 'The platform voids the vouchers and closes the line as Rejected.',
    retry: never,
  },
  status_mismatch: {
    title: 'status and orderStatus differ',
    cause: 'Both fields must have the same value.',
    fix: 'Send the same value in both.',
    retry: never,
  },
  otp_wrong: {
    title: 'Incorrect OTP',
    cause: 'The code does not match. Each code allows five attempts; 20 consecutive failures lock the customer.',
    fix: 'Ask the customer to re-enter the code. In a test, read the code from `GET /sandbox/v1/messages?uid=...`.',
    retry: 'Yes, with the correct code, until the attempts are used up.',
  },
  otp_expired: {
    title: 'OTP has expired',
    cause: 'More than 300 seconds of sandbox time have passed.',
    fix: 'Request a new one with generate-otp.',
    retry: 'With a new code.',
  },
  otp_used: {
    title: 'OTP has already been used',
    cause: 'A code can be used once.',
    fix: 'Request a new one with generate-otp.',
    retry: 'With a new code.',
  },
  otp_replaced: {
    title: 'A newer OTP was sent',
    cause: 'A newer code was sent to the customer. Only the newest is valid.',
    fix: 'Send the newest code with its own `reference_id`.',
    retry: 'With the newer code.',
  },
  otp_tries_exceeded: {
    title: 'Too many attempts for this OTP',
    cause: 'Five failed attempts were made with this code. It is now invalid, even if the correct code is sent.',
    fix: 'Request a new one. The failures still count towards locking the customer.',
    retry: 'With a new code.',
  },
  otp_unknown_reference: {
    title: 'Unknown reference_id',
    cause: 'No code was sent to this customer with this `reference_id`.',
    fix: 'Send the `reference_id` that generate-otp returned for the same `customer_id`.',
    retry: never,
  },
  otp_limit_reached: {
    title: 'Too many OTP requests',
    cause: 'Five codes were sent to the customer within ten minutes of sandbox time, and none was used to sign in.',
    fix: 'Wait for the time in `X-Problem`; the newest code stays valid until it expires. In a test, `POST /sandbox/v1/clock/advance` with `{"seconds":600}`.',
    retry: 'After the wait, or after a sign-in.',
  },
  customer_locked: {
    title: 'Customer is locked',
    cause: '20 consecutive failures, also across several codes.',
    fix: 'Wait 15 minutes. In a test, `POST /sandbox/v1/clock/advance` with `{"seconds":900}`.',
    retry: 'After 15 minutes of sandbox time.',
  },
} as const satisfies Record<string, Advice>;
