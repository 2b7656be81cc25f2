/** The operations that the platform and the microsite call, with their inputs and replies. */
import { otpSeconds } from './otp.js';
import { mandatory, Refused, tokenInvalid } from './refused.js';
import { tokenSeconds } from './tokens.js';

/**
 * Returns the operations by path: the method, the credential check (a method of Tokens), whether the request has a
 * body, and the handler. `run` receives the caller and the body, or the query if there is no body. It returns the body
 * of a 200 reply.
 */
export function operations({ ledger, tokens, otps, send, projectCode }) {
  return {
    '/getProfileAndPoints': { method: 'POST', caller: 'customerOrService', hasBody: false, run: getProfileAndPoints },
    '/creditPoints': { method: 'POST', caller: 'service', hasBody: true, run: creditPoints },
    '/saveRedeemDetails': { method: 'POST', caller: 'customerOrService', hasBody: true, run: saveRedeemDetails },
    '/updateRedeemStatus': { method: 'POST', caller: 'service', hasBody: true, run: updateRedeemStatus },
    '/api/v1/auth/generate-otp': { method: 'POST', caller: 'microsite', hasBody: true, run: generateOtp },
    '/api/v1/auth/verify-otp': { method: 'POST', caller: 'microsite', hasBody: true, run: verifyOtp },
    '/api/v1/customer/points': { method: 'GET', caller: 'customerOrService', hasBody: false, run: getCustomerPoints },
    '/api/v1/orders/redeem': { method: 'POST', caller: 'customerOrService', hasBody: true, run: redeemPoints },
    '/api/v1/orders/reverse': { method: 'POST', caller: 'service', hasBody: true, run: reversePoints },
  };

  async function getProfileAndPoints(caller, query) {
    const uid = ownUid(caller, text(query.uid));
    return ledger.find(uid);
  }

  async function creditPoints(_caller, body) {
    const { uid, eventType, transactionId, paymentAmount } = body;
    for (const value of [uid, eventType, transactionId]) text(value);
    if (!/^(0|[1-9]\d{0,12})(\.\d{1,2})?$/.test(text(paymentAmount))) throw mandatory();
    const points = wholeNumber(body.points, 0);
    const values = JSON.stringify([uid, eventType, paymentAmount, points]);
    await ledger.credit({ transactionId, uid, points, values });
    return { success: true, status: 200 };
  }

  async function saveRedeemDetails(caller, body) {
    for (const name of ['uid', 'scheme', 'redeemCode', 'productCode', 'productName']) text(body[name]);
    for (const name of ['shippingAddress', 'email', 'mobileNo']) anyText(body[name]);
    if (body.redeemStatus !== 'pending') throw mandatory();
    const total = wholeNumber(body.totalPointWithProcessingFee, 1);
    const adds = addsUp(body);
    const uid = ownUid(caller, body.uid);
    await ledger.find(uid);
    if (body.scheme !== projectCode) throw new Refused(422, 'Unknown project.');
    if (!adds) throw new Refused(422, 'Points do not add up.');
    const values = JSON.stringify(recordFields.map((name) => body[name]));
    await ledger.deduct({ redeemCode: body.redeemCode, uid, points: total, values });
    return { success: true, status: 200 };
  }

  async function updateRedeemStatus(_caller, { redeemCode, status, orderStatus, remark, projectCode: project }) {
    for (const value of [redeemCode, project]) text(value);
    anyText(remark);
    for (const value of [status, orderStatus]) {
      if (!['Pending', 'Delivered', 'Rejected'].includes(value)) throw mandatory();
    }
    if (status !== orderStatus) throw new Refused(422, 'status and orderStatus differ.');
    if (project !== projectCode) throw new Refused(422, 'Unknown project.');
    await ledger.report(redeemCode, status);
    return { success: true, status: 200 };
  }

  async function generateOtp(_caller, body) {
    const uid = text(body.customer_id);
    const { profile } = await ledger.find(uid);
    const { code, reference } = otps.make(uid);
    const message = `${code} is your one-time password. It is valid for 5 minutes.`;
    await send({ to: profile.mobileNo, text: message, customer_id: uid, reference_id: reference });
    const mobile = profile.mobileNo.slice(-4).padStart(profile.mobileNo.length, '*');
    return { success: true, status: 200, reference_id: reference, expires_in: otpSeconds, mobile };
  }

  async function verifyOtp(_caller, { customer_id, otp, reference_id }) {
    for (const value of [customer_id, otp, reference_id]) text(value);
    otps.use(customer_id, otp, reference_id);
    const { points } = await ledger.find(customer_id);
    const token = tokens.sign(customer_id);
    return { success: true, status: 200, token, token_type: 'Bearer', expires_in: tokenSeconds, points };
  }

  async function getCustomerPoints(caller, query) {
    const customer_id = ownUid(caller, text(query.customer_id));
    const { points } = await ledger.find(customer_id);
    return { customer_id, points };
  }

  async function redeemPoints(caller, { customer_id, order_id, redeem_code, points }) {
    for (const value of [customer_id, order_id, redeem_code]) text(value);
    wholePoints(points);
    const uid = ownUid(caller, customer_id);
    const values = JSON.stringify([uid, order_id, points]);
    const balance = await ledger.deduct({ redeemCode: redeem_code, uid, points, values });
    return { success: true, status: 200, balance };
  }

  async function reversePoints(_caller, { redeem_code, points, reason }) {
    text(redeem_code);
    wholePoints(points);
    anyText(reason);
    const balance = await ledger.reverse(redeem_code, points);
    return { success: true, status: 200, balance };
  }
}

/** Fields of a redemption record that a repeat must not change. */
const recordFields = [
  ...['uid', 'scheme', 'redeemCode', 'redeemPoints', 'shippingAddress', 'processingFee', 'productCode', 'productName'],
  ...['quantity', 'email', 'mobileNo', 'totalpoints', 'totalPointWithProcessingFee', 'tdsSingleItem'],
];

/**
 * Checks that both totals of a redemption record equal the sums of their parts. Uses BigInt, because products can
 * exceed the safe integer range.
 */
function addsUp(body) {
  const number = (name, least) => BigInt(wholeNumber(body[name], least));
  const total = number('redeemPoints', 1) + number('tdsSingleItem', 0) * number('quantity', 1);
  const withFee = total + number('processingFee', 0);
  return number('totalpoints', 1) === total && number('totalPointWithProcessingFee', 1) === withFee;
}

/** Returns the customer of a call. Refuses callers that may not act for that customer. */
function ownUid(caller, uid) {
  if (caller.uid !== undefined && caller.uid !== uid) throw tokenInvalid();
  return uid;
}

function text(value) {
  if (typeof value !== 'string' || value === '') throw mandatory();
  return value;
}

function anyText(value) {
  if (typeof value !== 'string') throw mandatory();
}

/** Parses a whole number in text form, without sign, spaces or leading zeros. */
function wholeNumber(value, least) {
  if (!/^(0|[1-9]\d{0,14})$/.test(text(value)) || Number(value) < least) throw mandatory();
  return Number(value);
}

/** Validates points of version 2.0, which are JSON numbers. */
function wholePoints(value) {
  if (!Number.isInteger(value) || value < 0 || value > 999_999_999_999_999) throw mandatory();
}
