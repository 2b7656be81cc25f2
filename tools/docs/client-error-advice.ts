import { type Advice, never } from './advice.ts';

/** Advice for the failures that only the client has. */
export const clientAdvice = {
  mandatory_details: {
    title: 'Mandatory details missing',
    cause:
      'A field is missing, empty or of the wrong form. The message is fixed; the header `X-Problem` names the field.',
    fix: 'Read `X-Problem`. Numbers travel as text here: `"250"`, not `250`.',
    retry: never,
  },
  token_invalid: {
    title: 'Token Invalid',
    cause:
      'The bearer token is missing, expired, forged, of another customer, or of the wrong kind: a JWT where the service token belongs, or the other way round.',
    fix: "In a customer's session send the customer's JWT, otherwise the service token. An expired JWT needs a new sign-in.",
    retry: 'With a good token. Nothing was done.',
  },
  unknown_customer: {
    title: 'Unknown customer',
    cause: 'The client has no customer with this id.',
    fix: 'Take one from `GET /sandbox/v1/customers`, or create one there.',
    retry: never,
  },
  points_changed: {
    title: 'User points have changed',
    cause: 'Between the check and the deduction the balance fell below what the order costs.',
    fix: 'Answer so from your own server whenever the balance does not cover `totalPointWithProcessingFee`, and deduct nothing.',
    retry: 'As a new order, when the points are there.',
  },
  redemption_conflict: {
    title: 'redeemCode used with other values',
    cause: 'This `redeemCode` was booked before with another customer or other points.',
    fix: 'A repeat must be the same record. Each redemption has a code of its own.',
    retry: never,
  },
  points_mismatch: {
    title: 'Points do not add up',
    cause:
      '`totalpoints` is not `redeemPoints` with `tdsSingleItem` for each unit, or `totalPointWithProcessingFee` not that with `processingFee`. `X-Problem` names the field.',
    fix: 'Check the four numbers on your own server too: a ledger that deducts a wrong total gives a wrong total back.',
    retry: never,
  },
  unknown_project: {
    title: 'Unknown project',
    cause: '`scheme` or `projectCode` is not the code of the project that the customers belong to.',
    fix: 'Send the `projectCode` that the profile tells.',
    retry: never,
  },
  unknown_redeem_code: {
    title: 'Unknown redeemCode',
    cause: 'The client has booked no redemption under this code.',
    fix: 'On your own server: remember a `Rejected` for an unknown code, so that a deduction which arrives late is refused.',
    retry: 'The platform takes this answer to a `Rejected` as settled.',
  },
  order_already_delivered: {
    title: 'Order already Delivered',
    cause: 'A report contradicts an end that is final.',
    fix: 'Nothing to do at the client: points stay as they are. Look for the second report in the timeline of the redemption.',
    retry: never,
  },
  order_already_rejected: {
    title: 'Order already Rejected',
    cause:
      'A report or a deduction came for a redemption that was rejected, or that the client reversed because it was pending for too long.',
    fix: 'The platform voids the vouchers and closes the line as Rejected.',
    retry: never,
  },
  status_mismatch: {
    title: 'status and orderStatus differ',
    cause: 'Both fields carry the same thing and must have the same value.',
    fix: 'Send the same word in both.',
    retry: never,
  },
  otp_wrong: {
    title: 'OTP is wrong',
    cause: 'The digits do not match. Five tries a code; 20 failures in a row lock the customer.',
    fix: 'Ask the customer again. In a test, read the code from `GET /sandbox/v1/messages?uid=...`.',
    retry: 'With another code, until the tries are used up.',
  },
  otp_expired: {
    title: 'OTP has expired',
    cause: 'More than 300 seconds of sandbox time have passed.',
    fix: 'Ask for a new one with generate-otp.',
    retry: 'With a new code.',
  },
  otp_used: {
    title: 'OTP was already used',
    cause: 'A code signs in once.',
    fix: 'Ask for a new one with generate-otp.',
    retry: 'With a new code.',
  },
  otp_replaced: {
    title: 'A newer OTP was sent',
    cause: 'Another code was sent to the customer after this one; only the newest counts.',
    fix: 'Send the newest code with the `reference_id` that came with it.',
    retry: 'With the newer code.',
  },
  otp_tries_exceeded: {
    title: 'Too many tries for this OTP',
    cause: 'Five wrong tries were made with this code; it is void now, even if the right digits come.',
    fix: 'Ask for a new one. The count of failures that locks the customer goes on.',
    retry: 'With a new code.',
  },
  otp_unknown_reference: {
    title: 'Unknown reference_id',
    cause: 'No code was sent to this customer under this `reference_id`.',
    fix: 'Send the `reference_id` that generate-otp returned for the same `customer_id`.',
    retry: never,
  },
  otp_limit_reached: {
    title: 'Too many OTPs were asked for',
    cause: 'The customer was sent five codes within ten minutes of sandbox time, and none of them was used to sign in.',
    fix: 'Wait as long as `X-Problem` says; the newest code counts until its end. In a test, `POST /sandbox/v1/clock/advance` with `{"seconds":600}`.',
    retry: 'After the wait; a sign-in ends it.',
  },
  customer_locked: {
    title: 'Customer is locked',
    cause: '20 failures in a row, also over several codes.',
    fix: 'Wait 15 minutes. In a test, `POST /sandbox/v1/clock/advance` with `{"seconds":900}`.',
    retry: 'After 15 minutes of sandbox time.',
  },
} as const satisfies Record<string, Advice>;
