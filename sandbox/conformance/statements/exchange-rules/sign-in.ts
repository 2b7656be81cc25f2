/** The sign-ins: what a successful reply must hold, whatever its fields are called. */
import type { HeaderList } from '../../exchange.ts';
import { hasMasked, leavesOf, type ParsedExchange } from '../parsed-exchange.ts';
import { type ExchangeRule, unless } from '../rule.ts';

/** A text that can be a token: visible characters without a blank. */
const tokenForm = /^[!-~]+$/;
/** Fields of an envelope whose text is no token. */
const envelopeText = /type|scheme|name|message|status|expires|code/i;
const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const numberText = /^\d+(?:\.\d+)?$/;
/** Fields of an envelope whose numbers tell no points. */
const envelopeNumber = /^(status|code|success|expires?\w*|ttl|\w*(?:_at|_in)|iat|exp)$/i;

/** Whether a reply could carry a token elsewhere than in its body. */
function hasTokenHeader(headers: HeaderList | undefined): boolean {
  return headers === undefined || headers.some(([name]) => /token|authorization|cookie/i.test(name));
}

/** The named values of a successful response with a complete body. */
function valuesOf({ status, received, exchange }: ParsedExchange): readonly (readonly [string, unknown])[] | undefined {
  if (status !== 200 || typeof received !== 'object' || received === null) return undefined;
  if (hasMasked(received) || hasTokenHeader(exchange.reply?.headers)) return undefined;
  return [...leavesOf(received)];
}

function tokenRule(id: string, statement: string, operation: string, form: RegExp, expected: string): ExchangeRule {
  return {
    id,
    basis: `stated ${statement}`,
    party: 'host',
    operations: [operation],
    judge(exchange) {
      const values = valuesOf(exchange);
      if (values === undefined) return undefined;
      const found = values.some(
        ([name, value]) => typeof value === 'string' && form.test(value) && !envelopeText.test(name),
      );
      return unless(found, '/body', expected, found ? '' : undefined);
    },
  };
}

export const signInRules: readonly ExchangeRule[] = [
  tokenRule('company-token', 'A1', 'companyAuth', tokenForm, 'a token, in any field'),
  tokenRule('access-token', 'F1', 'login', tokenForm, 'an access token, in any field'),
  tokenRule('jwt', 'D6', 'verifyOtp', jwtForm, 'a JWT, in any field'),
  {
    id: 'points-information',
    basis: 'stated D6',
    party: 'host',
    operations: ['verifyOtp'],
    judge(exchange) {
      const values = valuesOf(exchange);
      if (values === undefined) return undefined;
      const found = values.some(
        ([name, value]) =>
          !envelopeNumber.test(name) &&
          (typeof value === 'number' || (typeof value === 'string' && numberText.test(value))),
      );
      return unless(found, '/body', "the customer's points, in any field", undefined);
    },
  },
];
