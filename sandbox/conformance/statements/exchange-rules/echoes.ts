/** Values of a request that its reply repeats. */
import { fieldsOf, isSuccess, type ParsedExchange, parameter, textOf } from '../parsed-exchange.ts';
import { type ExchangeRule, unless } from '../rule.ts';

/** A rule that a reply repeats a value of its request. */
function echo(
  id: string,
  basis: string,
  operations: readonly string[],
  requestedBy: (exchange: ParsedExchange) => string | undefined,
  pointer: string,
): ExchangeRule {
  return {
    id,
    basis,
    party: 'host',
    operations,
    judge(exchange) {
      const wanted = requestedBy(exchange);
      const returned = textOf(at(exchange.received, pointer));
      if (!isSuccess(exchange) || wanted === undefined || returned === undefined) return undefined;
      return unless(returned === wanted, `/body${pointer}`, `"${wanted}", as requested`, returned);
    },
  };
}

function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((within, name) => fieldsOf(within)[name], value);
}

const sentField = (name: string) => (exchange: ParsedExchange) => textOf(fieldsOf(exchange.sent)[name]);

export const echoRules: readonly ExchangeRule[] = [
  echo('transaction-echoed', 'OP-25', ['sendPaymentEvent'], sentField('transactionId'), '/transactionId'),
  echo('reference-echoed', 'OP-05', ['createRedemptionOrder'], sentField('reference_id'), '/reference_id'),
  echo('reference-echoed-general', 'OP-28', ['createProductOrder'], sentField('reference_id'), '/reference_id'),
  echo('reference-echoed-versioned', 'OP-29', ['createOrder'], sentField('reference_id'), '/reference_id'),
  echo('order-echoed', 'OP-29', ['getOrderStatus'], (exchange) => parameter(exchange, 'order_id'), '/order_id'),
];
