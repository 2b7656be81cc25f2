/** Defines the fields of request bodies, and the mistakes that relax their checks. */
import { randomUUID } from 'node:crypto';
import type { Has, MistakeName } from './mistakes.ts';
import { projectCode } from './settings.ts';

type Check = (value: unknown) => boolean;
/** The checks of a body, by field. */
export type Fields = Readonly<Record<string, Check>>;
/** A body with valid fields. */
export type Body = Readonly<Record<string, unknown>>;

const text =
  (least = 0, most = Number.POSITIVE_INFINITY): Check =>
  (value) =>
    typeof value === 'string' && value.length >= least && value.length <= most;
const like =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((each) => each === value);

const id = text(1, 64);
const nonEmpty = text(1);
const whole = like(/^(0|[1-9][0-9]{0,14})$/);
const positive = like(/^[1-9][0-9]{0,14}$/);
const amount = like(/^(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?$/);
const most = 999_999_999_999_999;
const points: Check = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
const statuses = ['Pending', 'Delivered', 'Rejected'];

/** Returns the check for the points of a credit. */
function creditPattern(has: Has): Check {
  if (has('credit-malformed')) return like(/^(0|[1-9][0-9]{0,14})[a-z]*$/);
  if (has('credit-negative')) return like(/^-?(0|[1-9][0-9]{0,14})$/);
  if (has('credit-float')) return like(/^(0|[1-9][0-9]{0,14})([.][0-9]+)?$/);
  if (has('credit-beyond')) return like(/^(0|[1-9][0-9]*)$/);
  if (has('credit-zero-refused')) return positive;
  return has('credit-exponent') ? like(/^(0|[1-9][0-9]{0,14})(e[0-9])?$/) : whole;
}

/** Returns the check for the points of a deduction. */
function deductionPattern(has: Has): Check {
  if (has('deduct-fraction')) return like(/^[1-9][0-9]{0,14}([.][0-9]+)?$/);
  return has('deduct-negative') ? like(/^-?[1-9][0-9]{0,14}$/) : positive;
}

function redeemStatus(has: Has): Check {
  if (has('redeem-status-any')) return text();
  return oneOf(has('pending-capitalised') ? 'Pending' : 'pending');
}

/** Returns the check for version 2.0 points. */
function v2Points(has: Has): Check {
  if (has('v2-takes-text')) return (value) => points(value) || whole(value);
  return has('v2-negative') ? (value) => Number.isInteger(value) : points;
}

function orMissing(check: Check, may: boolean): Check {
  return (value) => (may && value === undefined) || check(value);
}

/** Returns the fields of each operation that has a body. */
export function fieldsOf(has: Has): Readonly<Record<string, Fields>> {
  const total = deductionPattern(has);
  const product = has('empty-product') ? text() : nonEmpty;
  const status = oneOf(...(has('status-lower-only') ? statuses.map((name) => name.toLowerCase()) : statuses));
  const code = like(/^[0-9]{6}$/);
  const v2 = v2Points(has);
  return {
    creditPoints: {
      uid: id,
      eventType: oneOf('DIGITAL_PAYMENT'),
      transactionId: id,
      paymentAmount: amount,
      points: creditPattern(has),
    },
    saveRedeemDetails: {
      uid: id,
      scheme: nonEmpty,
      redeemCode: id,
      redeemPoints: total,
      shippingAddress: text(),
      processingFee: whole,
      productCode: product,
      productName: product,
      quantity: positive,
      redeemStatus: redeemStatus(has),
      email: text(),
      mobileNo: text(),
      totalpoints: total,
      totalPointWithProcessingFee: total,
      tdsSingleItem: whole,
    },
    updateRedeemStatus: {
      redeemCode: id,
      status,
      orderStatus: status,
      remark: text(has('remark-empty-refused') ? 1 : 0, 500),
      projectCode: nonEmpty,
    },
    generateOtp: { customer_id: orMissing(id, has('otp-missing-customer')) },
    verifyOtp: { customer_id: id, otp: orMissing(code, has('otp-missing-otp')), reference_id: id },
    redeemPoints: { customer_id: id, order_id: orMissing(id, has('v2-missing-order')), redeem_code: id, points: v2 },
    reversePoints: { redeem_code: id, points: v2, reason: text(0, 500) },
  };
}

/** Substitutes for missing fields, some derived from other fields. */
const substitutes: Readonly<Record<string, (body: Body) => unknown>> = {
  transactionId: () => randomUUID(),
  eventType: () => 'DIGITAL_PAYMENT',
  paymentAmount: () => '0',
  scheme: () => projectCode,
  redeemPoints: (body) => String(Number(body.totalpoints) - Number(body.tdsSingleItem) * Number(body.quantity)),
  tdsSingleItem: (body) => String((Number(body.totalpoints) - Number(body.redeemPoints)) / Number(body.quantity)),
  quantity: (body) => String((Number(body.totalpoints) - Number(body.redeemPoints)) / Number(body.tdsSingleItem) || 1),
  totalpoints: (body) => String(Number(body.totalPointWithProcessingFee) - Number(body.processingFee)),
  processingFee: (body) => String(Number(body.totalPointWithProcessingFee) - Number(body.totalpoints)),
  redeemStatus: () => 'pending',
  totalPointWithProcessingFee: (body) => String(Number(body.totalpoints) + Number(body.processingFee)),
  status: (body) => body.orderStatus,
  orderStatus: (body) => body.status,
  projectCode: () => projectCode,
  productCode: () => 'unknown',
  productName: () => 'unknown',
};

/** Relaxes a body as the mistake requires, before its fields are checked: fills missing fields and converts values. */
export function relaxBody(operation: string, body: Body, fields: Fields, has: Has): Body {
  const missing = Object.keys(fields)
    .filter((name) => body[name] === undefined && has(`missing-${name}` as MistakeName))
    .map((name) => [name, substitutes[name]?.(body) ?? '']);
  const filled: Body = { ...body, ...Object.fromEntries(missing) };
  if (operation === 'saveRedeemDetails' && has('deduct-takes-numbers')) return mapValues(filled, numberAsText);
  if (operation === 'updateRedeemStatus' && has('status-lower-case')) return mapValues(filled, capitalise);
  return filled;
}

function mapValues(body: Body, change: (value: unknown) => unknown): Body {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value)]));
}

function numberAsText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

function capitalise(value: unknown): unknown {
  return statuses.find((name) => name.toLowerCase() === value) ?? value;
}

/** Returns the name of the first missing or invalid field, or `undefined`. */
export function wrongField(body: Body, fields: Fields, has: Has): string | undefined {
  const unknown = has('extra-field') ? Object.keys(body).find((name) => !(name in fields)) : undefined;
  return unknown ?? Object.entries(fields).find(([name, check]) => !check(body[name]))?.[0];
}

/** Returns a body's fields as text. A repeated call has the same text as the first. */
export function fingerprint(body: Body, fields: Fields): string {
  return JSON.stringify(Object.keys(fields).map((name) => body[name]));
}
