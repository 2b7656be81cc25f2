/** Rules for the rewards listing: filter, page size, cursor, and the two errors that the interface names. */
import { fieldsOf, isOmitted, itemsOf, type ParsedExchange, parameter } from '../parsed-exchange.ts';
import { type ExchangeRule, hostRule, type Issue, satisfied, unless } from '../rule.ts';

const operations = ['listRewards'];
const typeNames = new Map([
  ['egv', 'EGV'],
  ['physical', 'PHYSICAL'],
]);
/** Number of items on a page if the request does not specify a limit (L2). */
const defaultLimit = 50;

const statedErrors = [
  { statement: 'X6', code: 50, message: 'Invalid type filter value', name: 'fifty' },
  { statement: 'X7', code: 51, message: 'Invalid or expired cursor', name: 'fifty-one' },
];

/** Returns the items of a page, or `undefined` if the reply is not a page with status 200. */
function pageOf({ status, received }: ParsedExchange): readonly unknown[] | undefined {
  return status === 200 ? itemsOf(fieldsOf(received).items) : undefined;
}

/** Classifies the `type` parameter: omitted, a stated value, an invalid value, or a value whose validity is not stated. */
function typeAsked(exchange: ParsedExchange): 'none' | 'valid' | 'invalid' | 'unclear' {
  if (isOmitted(exchange, 'type')) return 'none';
  const type = parameter(exchange, 'type');
  if (type === undefined || type === '') return 'unclear';
  if (typeNames.has(type)) return 'valid';
  // The interface does not state whether the filter is case-sensitive.
  return typeNames.has(type.toLowerCase()) ? 'unclear' : 'invalid';
}

/** Returns the error code of a 400, or `undefined` for any other reply. */
function errorCode({ status, received }: ParsedExchange): unknown {
  return status === 400 ? fieldsOf(received).code : undefined;
}

export const listingRules: readonly ExchangeRule[] = [
  hostRule('type-filter', 'stated A5', operations, (exchange) => {
    const requested = typeNames.get(parameter(exchange, 'type') ?? '');
    const items = pageOf(exchange);
    if (requested === undefined || items === undefined || items.length === 0) return undefined;
    return items.flatMap((item, index): Issue[] => {
      const { product_type: actual } = fieldsOf(item);
      if (actual === requested || ![...typeNames.values()].includes(String(actual))) return [];
      const pointer = `/body/items/${index}/product_type`;
      return [{ pointer, expected: `only ${requested}, as requested by \`type\``, actual }];
    });
  }),
  hostRule('page-size', 'stated A7', operations, (exchange) => {
    const limit = parameter(exchange, 'limit') ?? '';
    const items = pageOf(exchange);
    if (items === undefined || !/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > 200) return undefined;
    return unless(items.length <= Number(limit), '/body/items', `at most ${limit} items`, items.length);
  }),
  hostRule('default-page-size', 'stated L2', operations, (exchange) => {
    const items = pageOf(exchange);
    if (items === undefined || !isOmitted(exchange, 'limit')) return undefined;
    const expected = `at most ${defaultLimit} items by default`;
    if (items.length < defaultLimit) return undefined;
    return unless(items.length === defaultLimit, '/body/items', expected, items.length);
  }),
  hostRule('cursor-has-more', 'stated R7', operations, (exchange) => {
    const { next_cursor: next, has_more: more } = fieldsOf(exchange.received);
    if (pageOf(exchange) === undefined || typeof more !== 'boolean' || next === undefined) return undefined;
    const expected = more ? 'a cursor, since has_more is true' : 'null, since has_more is false';
    return unless(more === (next !== null), '/body/next_cursor', expected, next);
  }),
  hostRule('cursor-advances', 'stated R6', operations, (exchange) => {
    const { next_cursor: next } = fieldsOf(exchange.received);
    const cursor = parameter(exchange, 'cursor');
    if (pageOf(exchange) === undefined || cursor === undefined || typeof next !== 'string') return undefined;
    return unless(next !== cursor, '/body/next_cursor', 'the cursor of the next page', 'the cursor sent');
  }),
  hostRule('invalid-type-refused', 'stated X6', operations, (exchange) => {
    const requested = typeAsked(exchange);
    const code = errorCode(exchange);
    const alone = isOmitted(exchange, 'cursor') && isOmitted(exchange, 'limit');
    const { status: actual = 500 } = exchange;
    const isElse = actual !== 200 && (!alone || [400, 401, 403, 429].includes(actual) || actual >= 500);
    if (requested === 'invalid' && !isElse)
      return [{ pointer: '/status', expected: '400 with code 50, since `type` is invalid', actual }];
    if (requested === 'invalid' && alone && exchange.status === 400 && code !== undefined)
      return unless(code === 50, '/body/code', '50, since `type` is invalid', code);
    if (code === 50 && (requested === 'valid' || requested === 'none'))
      return [{ pointer: '/body/code', expected: 'a code other than 50, since `type` is valid', actual: code }];
    return code === 50 ? satisfied : undefined;
  }),
  hostRule('invalid-cursor-refused', 'stated X7', operations, (exchange) => {
    if (errorCode(exchange) !== 51) return undefined;
    return unless(!isOmitted(exchange, 'cursor'), '/body/code', 'a code other than 51, since no cursor was sent', 51);
  }),
  ...statedErrors.flatMap(({ statement, code, message, name }): ExchangeRule[] => [
    hostRule(`message-of-code-${name}`, `stated ${statement}`, operations, (exchange) => {
      if (errorCode(exchange) !== code) return undefined;
      const { message: actual } = fieldsOf(exchange.received);
      return unless(actual === message, '/body/message', `"${message}", since the code is ${code}`, actual);
    }),
    hostRule(`code-${name}-of-message`, `stated ${statement}`, operations, (exchange) => {
      const { message: said, code: actual } = fieldsOf(exchange.received);
      if (exchange.status !== 400 || said !== message) return undefined;
      return unless(actual === code, '/body/code', `${code}, since the message is "${message}"`, actual);
    }),
  ]),
];
