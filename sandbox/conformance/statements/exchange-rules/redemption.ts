/** Rules for the platform's redemption calls to the client, and for the client's replies. */

import { header } from '../../exchange.ts';
import { fieldsOf, isSuccess, type ParsedExchange, parameter, textOf, wholeOf } from '../parsed-exchange.ts';
import { callerRule, type ExchangeRule, hostRule, satisfied, unless } from '../rule.ts';

const statuses: readonly unknown[] = ['Pending', 'Delivered', 'Rejected'];
const mandatoryMessage = 'Please enter the mandatory details to proceed further.';
const tokenMessage = 'Token Invalid';

/** Fields without which a call does not identify a redemption. The interface does not state which other fields are mandatory. */
const essential: Readonly<Record<string, readonly string[]>> = {
  saveRedeemDetails: ['uid', 'redeemCode'],
  updateRedeemStatus: ['redeemCode', 'status'],
};

/** Returns the first essential field that a request lacks. Returns `undefined` if it has all of them, or its body was not captured. */
function missingField({ operation, sent }: ParsedExchange): string | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const fields = fieldsOf(sent);
  return essential[operation]?.find((name) => fields[name] === undefined || fields[name] === '');
}

/** Returns the message in the client's error envelope. */
function messageOf({ status, received }: ParsedExchange): string | undefined {
  return status === 422 ? textOf(fieldsOf(fieldsOf(received).data).message) : undefined;
}

/**
 * Creates a rule that compares a message with the stated text. A message that contains the characteristic word must be exactly that
 * text.
 */
function exactMessage(id: string, statement: string, operation: string, word: RegExp, message: string): ExchangeRule {
  return hostRule(id, `stated ${statement}`, [operation], (exchange) => {
    const actual = messageOf(exchange);
    if (actual === undefined || !word.test(actual) || hasBearer(exchange) === false) return undefined;
    return unless(actual === message, '/body/data/message', `"${message}"`, actual);
  });
}

/** Returns whether a request has a credential of the stated scheme, or `undefined` if its headers were not captured. */
function hasBearer({ exchange: { request } }: ParsedExchange): boolean | undefined {
  const value = header(request.headers, 'authorization');
  if (value !== undefined) return /^(?:Bearer\s|\*{3})/i.test(value);
  return request.headers === undefined || request.headers.length === 0 ? undefined : false;
}

/** Creates a rule that the host must refuse a call without any credential. */
function credentialNeeded(id: string, statements: string, operations: readonly string[]): ExchangeRule {
  return hostRule(id, `stated ${statements}`, operations, (exchange) => {
    const value = header(exchange.exchange.request.headers, 'authorization');
    if (!isSuccess(exchange) || hasBearer(exchange) === undefined) return undefined;
    const expected = 'an error, since the call has no Authorization';
    return unless(value !== undefined, '/status', expected, exchange.status);
  });
}

/** Statuses of refusals that are not about the content of the body. */
const refusedForElse: readonly number[] = [401, 403, 413, 415, 429];

function missingRefused(id: string, statement: string, operation: string): ExchangeRule {
  return hostRule(id, `stated ${statement}`, [operation], (exchange) => {
    const missing = missingField(exchange);
    const { status = 500 } = exchange;
    const isElse = refusedForElse.includes(status) || (!isSuccess(exchange) && hasBearer(exchange) === false);
    if (missing === undefined || status >= 500 || isElse) return undefined;
    const why = `since \`${missing}\` is missing`;
    if (status !== 422) return [{ pointer: '/status', expected: `422, ${why}`, actual: status }];
    const actual = messageOf(exchange);
    if (actual === undefined || actual === tokenMessage) return undefined;
    return unless(actual === mandatoryMessage, '/body/data/message', `"${mandatoryMessage}", ${why}`, actual);
  });
}

/** Creates a rule that a field of a record is a base plus a number of equal parts, which `partsOf` returns in this order. */
function addsUp(
  id: string,
  basis: string,
  name: string,
  text: string,
  partsOf: (fields: ReturnType<typeof fieldsOf>) => readonly unknown[],
): ExchangeRule {
  return callerRule(id, basis, ['saveRedeemDetails'], ({ sent }) => {
    const fields = fieldsOf(sent);
    const [base, part, times, total] = [...partsOf(fields), fields[name]].map(wholeOf);
    if (base === undefined || part === undefined || times === undefined || total === undefined) return undefined;
    const sum = base + part * times;
    return unless(total === sum, `/body/${name}`, `${sum}, ${text}`, fields[name]);
  });
}

/** Statuses of refusals for which the reference documents 422. */
const otherRefusals: readonly unknown[] = [402, 410, 412, 423, 424];
const ledgerOperations = ['creditPoints', 'saveRedeemDetails', 'updateRedeemStatus', 'redeemPoints', 'reversePoints'];

export const redemptionRules: readonly ExchangeRule[] = [
  callerRule('order-status-repeats-status', 'stated B11', ['updateRedeemStatus'], ({ sent }) => {
    const { status, orderStatus } = fieldsOf(sent);
    if (![status, orderStatus].every((value) => statuses.includes(value))) return undefined;
    return unless(status === orderStatus, '/body/orderStatus', `"${status}", the value of status`, orderStatus);
  }),
  callerRule('total-covers-points', 'stated R14 R17', ['saveRedeemDetails'], ({ sent }) => {
    const { redeemPoints, totalPointWithProcessingFee: actual } = fieldsOf(sent);
    const [points, total] = [wholeOf(redeemPoints), wholeOf(actual)];
    if (points === undefined || total === undefined) return undefined;
    const expected = `at least ${points} (redeemPoints), since it is the total including all fees`;
    return unless(total >= points, '/body/totalPointWithProcessingFee', expected, actual);
  }),
  addsUp('total-adds-up', 'OP-08', 'totalPointWithProcessingFee', 'totalpoints plus processingFee', (fields) => {
    return [fields.totalpoints, fields.processingFee, 1];
  }),
  addsUp('points-add-up', 'OP-122', 'totalpoints', 'redeemPoints plus the TDS of each unit', (fields) => {
    return [fields.redeemPoints, fields.tdsSingleItem, fields.quantity];
  }),
  hostRule('recommended-refusal', 'OP-101', ledgerOperations, (exchange) => {
    const { status } = exchange;
    if (status === 422) return satisfied;
    // Another rule covers the refusal of an incomplete request.
    if (!otherRefusals.includes(status) || missingField(exchange) !== undefined) return undefined;
    return [{ pointer: '/status', expected: '422, the recommended status of a refusal', actual: status }];
  }),
  missingRefused('incomplete-record-refused', 'X3', 'saveRedeemDetails'),
  missingRefused('incomplete-update-refused', 'X4', 'updateRedeemStatus'),
  exactMessage('token-invalid-message', 'X2', 'getProfileAndPoints', /\b(?:token|jwt)\b/i, tokenMessage),
  exactMessage('record-details-message', 'X3', 'saveRedeemDetails', /\bmandatory\b/i, mandatoryMessage),
  exactMessage('update-details-message', 'X4', 'updateRedeemStatus', /\bmandatory\b/i, mandatoryMessage),
  credentialNeeded('profile-needs-a-token', 'B1 T3 X2', ['getProfileAndPoints']),
  credentialNeeded('record-needs-a-token', 'B1 B8 T3', ['saveRedeemDetails']),
  credentialNeeded('call-needs-a-token', 'B1 T3', ['creditPoints', 'updateRedeemStatus']),
];

/** Creates a rule that a reply must repeat a field of its request, by default one of its body. */
function echo(
  id: string,
  basis: string,
  operation: string,
  name: string,
  requestedBy = ({ sent }: ParsedExchange) => textOf(fieldsOf(sent)[name]),
): ExchangeRule {
  return hostRule(id, basis, [operation], (exchange) => {
    const wanted = requestedBy(exchange);
    const returned = textOf(fieldsOf(exchange.received)[name]);
    if (!isSuccess(exchange) || wanted === undefined || returned === undefined) return undefined;
    return unless(returned === wanted, `/body/${name}`, `"${wanted}", as requested`, returned);
  });
}

export const echoRules: readonly ExchangeRule[] = [
  echo('transaction-echoed', 'OP-25', 'sendPaymentEvent', 'transactionId'),
  echo('reference-echoed', 'OP-05', 'createRedemptionOrder', 'reference_id'),
  echo('reference-echoed-general', 'OP-28', 'createProductOrder', 'reference_id'),
  echo('reference-echoed-versioned', 'OP-29', 'createOrder', 'reference_id'),
  echo('order-echoed', 'OP-29', 'getOrderStatus', 'order_id', (exchange) => parameter(exchange, 'order_id')),
];
