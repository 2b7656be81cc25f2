/** Reads the facts of an exchange that trace rules need, by operation. */

import { hash } from 'node:crypto';
import { maskUrl } from '../../activity-log/masking.ts';
import { header } from '../exchange.ts';
import { cut, traceOf } from '../finding.ts';
import {
  fieldsOf,
  isSuccess,
  itemsOf,
  leavesOf,
  type ParsedExchange,
  parameter,
  textOf,
  tokenOf,
  wholeOf,
} from './parsed-exchange.ts';
import type { Facts, FaultySides, Interned, OrderLine, TraceEvent, Voucher } from './trace-event.ts';

/** Maximum number of vouchers, items or lines stored per exchange. */
const mostParts = 500;

/** Returns the facts to store about an exchange, or `undefined` if no trace rule concerns its operation. */
export function traceEvent(
  number: number,
  parsed: ParsedExchange,
  faulty: FaultySides,
  openPoints: TraceEvent['openPoints'],
  interned: Interned,
): TraceEvent | undefined {
  const read = readers[parsed.operation];
  if (read === undefined) return undefined;
  const { exchange, operation, status } = parsed;
  const { token = tokenOf(parsed), uid, ...facts } = { ...requestFacts(parsed), ...read(parsed, interned) };
  return {
    number,
    operation,
    server: exchange.server,
    base: interned.text(exchange.base ?? ''),
    method: cut(exchange.method),
    url: interned.text(cut(maskUrl(exchange.url), 300)),
    trace: traceOf(exchange),
    status,
    succeeded: isSuccess(parsed),
    span: exchange.span,
    token: token && interned.text(digest(token)),
    hasJwt: /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token ?? ''),
    uid: uid && interned.text(uid.slice(0, 100)),
    faulty,
    openPoints: interned.openPoints(openPoints),
    facts,
  };
}

type Read = Facts & { readonly uid?: string | undefined; readonly token?: string | undefined };

const sent = ({ sent }: ParsedExchange) => fieldsOf(sent);

const received = ({ received }: ParsedExchange) => fieldsOf(received);

const messageOf = (parsed: ParsedExchange) => {
  const { data, message } = received(parsed);
  return textOf(message) ?? textOf(fieldsOf(data).message);
};

/** The names of request fields, by operation and by the name of the fact that the field contains. */
type Fields = Readonly<Record<string, Readonly<Partial<Record<keyof Read, string>>>>>;

const textFields: Fields = {
  login: { uid: 'username' },
  customerAuth: { uid: 'uid' },
  createRedemptionOrder: { uid: 'uid' },
  createOrder: { uid: 'customer_id' },
  creditPoints: { uid: 'uid', transactionId: 'transactionId' },
  sendPaymentEvent: { uid: 'uid', transactionId: 'transactionId' },
  saveRedeemDetails: {
    uid: 'uid',
    redeemCode: 'redeemCode',
    reported: 'redeemStatus',
    project: 'scheme',
    product: 'productCode',
  },
  updateRedeemStatus: { redeemCode: 'redeemCode', reported: 'status', project: 'projectCode' },
  redeemPoints: { uid: 'customer_id', redeemCode: 'redeem_code' },
  reversePoints: { redeemCode: 'redeem_code' },
  generateOtp: { uid: 'customer_id' },
  verifyOtp: { uid: 'customer_id', reference: 'reference_id' },
};

const numberFields: Fields = {
  creditPoints: { points: 'points' },
  saveRedeemDetails: { quantity: 'quantity', points: 'redeemPoints', total: 'totalPointWithProcessingFee' },
  redeemPoints: { total: 'points' },
  reversePoints: { total: 'points' },
};

/** Returns the facts that single fields of a request contain. */
function requestFacts({ operation, sent }: ParsedExchange): Read {
  const fields = fieldsOf(sent);
  const read = (names: Fields[string] = {}, convert: (value: unknown) => unknown) =>
    Object.entries(names).map(([fact, name]) => [fact, convert(fields[name])]);
  return Object.fromEntries([...read(textFields[operation], textOf), ...read(numberFields[operation], wholeOf)]);
}

/** The facts of a call that may be repeated. */
const repeatable = (parsed: ParsedExchange) => ({ body: bodyDigest(parsed), message: messageOf(parsed) });

/** Functions that read the other facts of an exchange, by operation. */
const readers: Readonly<Record<string, (parsed: ParsedExchange, interned: Interned) => Read>> = {
  companyAuth: readTokens,
  login: readTokens,
  getUserProfile: () => ({}),
  listProducts: () => ({}),
  customerAuth: readTokens,
  listRewards: readListing,
  listCatalog: readListing,
  createRedemptionOrder: readOrder,
  createOrder: readOrder,
  createProductOrder: readOrder,
  getOrderStatus: (parsed) => ({
    orderId: textOf(received(parsed).order_id),
    lines: linesOf(received(parsed).lines),
  }),
  getWalletDetail: (parsed, interned) => ({
    uid: parameter(parsed, 'uid'),
    vouchers: (itemsOf(received(parsed).data) ?? [])
      .slice(0, mostParts)
      .map((voucher) => interned.voucher(voucherOf(voucher))),
  }),
  getProfileAndPoints: (parsed) => ({
    uid: parameter(parsed, 'uid'),
    project: textOf(fieldsOf(received(parsed).profile).projectCode),
    balance: wholeOf(fieldsOf(received(parsed).points).balance),
    message: messageOf(parsed),
  }),
  getCustomerPoints: (parsed) => ({
    uid: parameter(parsed, 'customer_id'),
    balance: wholeOf(fieldsOf(received(parsed).points).balance),
  }),
  creditPoints: (parsed) => ({ amount: amountOf(sent(parsed).paymentAmount), ...repeatable(parsed) }),
  sendPaymentEvent: (parsed) => ({
    points: wholeOf(received(parsed).points),
    amount: amountOf(sent(parsed).paymentAmount),
  }),
  saveRedeemDetails: repeatable,
  updateRedeemStatus: repeatable,
  redeemPoints: () => ({}),
  reversePoints: () => ({}),
  generateOtp: (parsed) => ({ references: isSuccess(parsed) ? textsIn(parsed.received) : [] }),
  verifyOtp: readTokens,
  openPortal: (parsed) => {
    const token = parameter(parsed, 'token');
    return { uid: parameter(parsed, 'uid'), token: token?.includes('***') ? undefined : token };
  },
  registerWebhook: (parsed) => {
    const address = textOf(sent(parsed).url);
    const idempotencyKey = header(parsed.exchange.request.headers, 'idempotency-key');
    return { webhook: address && digest(address), idempotencyKey };
  },
  deleteWebhook: () => ({}),
  catalogueUpdated: (parsed) => ({
    messageId: header(parsed.exchange.request.headers, 'webhook-id'),
    body: bodyDigest(parsed),
  }),
};

function readListing(parsed: ParsedExchange): Read {
  const { items, next_cursor: next } = received(parsed);
  const cursor = parameter(parsed, 'cursor');
  const skus = (itemsOf(items) ?? []).slice(0, mostParts).map((item) => textOf(fieldsOf(item).sku_code));
  return {
    cursor: cursor && digest(cursor),
    nextCursor: typeof next === 'string' ? digest(next) : undefined,
    filter: parameter(parsed, 'type'),
    items: skus.filter((sku) => sku !== undefined),
  };
}

function readOrder(parsed: ParsedExchange): Read {
  const ordered = itemsOf(sent(parsed).line_items) ?? [];
  const { order_id: orderId, lines } = received(parsed);
  const skus = ordered.slice(0, mostParts).map((line) => textOf(fieldsOf(line).sku) ?? textOf(fieldsOf(line).SKU));
  return {
    orderId: textOf(orderId),
    lines: linesOf(lines),
    skus: skus.filter((sku) => sku !== undefined),
    idempotencyKey: header(parsed.exchange.request.headers, 'idempotency-key'),
    body: bodyDigest(parsed),
  };
}

function linesOf(lines: unknown): readonly OrderLine[] {
  return (itemsOf(lines) ?? [])
    .slice(0, mostParts)
    .map(fieldsOf)
    .map(({ redeemCode, sku_code, quantity, status, points }) => ({
      redeemCode: textOf(redeemCode),
      sku: textOf(sku_code),
      quantity: wholeOf(quantity),
      status: textOf(status),
      total: wholeOf(fieldsOf(points).totalPointWithProcessingFee),
    }));
}

function voucherOf(value: unknown): Voucher {
  const { voucherCode, redemptionCode, productCode, projectCode, denomination, remark: _, ...rest } = fieldsOf(value);
  const code = textOf(voucherCode);
  return {
    code: code && digest(code),
    redeemCode: textOf(redemptionCode),
    productCode: textOf(productCode),
    projectCode: textOf(projectCode),
    record: digest(JSON.stringify([voucherCode, redemptionCode, productCode, projectCode, denomination, rest])),
  };
}

/** Reads the digests of all strings in a successful reply that could be a token, regardless of field name. */
function readTokens(parsed: ParsedExchange): Read {
  return { issued: isSuccess(parsed) ? textsIn(parsed.received).map(digest) : [] };
}

/** Returns the strings in a value that could be an identifier or a token. A string of one character is included. */
function textsIn(value: unknown): readonly string[] {
  const texts = [...leavesOf(value)].flatMap(([, leaf]) => textOf(leaf) ?? []);
  return texts.filter((text) => /^\S+$/.test(text)).slice(0, 50);
}

/** Normalizes an amount, so that `1.50` equals `1.5`. */
function amountOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{1,15}(?:\.\d+)?$/.test(text) ? String(Number(text)) : text;
}

function bodyDigest({ sent }: ParsedExchange): string | undefined {
  return sent === undefined ? undefined : digest(JSON.stringify(sent));
}

/** Returns a digest that distinguishes values without storing them. */
function digest(value: string): string {
  return hash('sha256', value, 'base64url').slice(0, 16);
}
