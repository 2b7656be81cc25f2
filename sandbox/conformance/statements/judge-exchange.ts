import { mostIssues } from '../../contract/schemas.ts';
import type { CheckedOperation } from '../contracts.ts';
import type { HeaderList } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { listingRules } from './exchange-rules/listing.ts';
import { echoRules, redemptionRules } from './exchange-rules/redemption.ts';
import { walletRules } from './exchange-rules/wallet.ts';
import { fieldsOf, hasMasked, itemsOf, leavesOf, type ParsedExchange, textOf } from './parsed-exchange.ts';
import { callerRule, type ExchangeRule, exchangeFinding, hostRule, type Issue, type Party, unless } from './rule.ts';

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
  return hostRule(id, `stated ${statement}`, [operation], (exchange) => {
    const values = valuesOf(exchange);
    if (values === undefined) return undefined;
    const found = values.some(
      ([name, value]) => typeof value === 'string' && form.test(value) && !envelopeText.test(name),
    );
    return unless(found, '/body', expected, found ? '' : undefined);
  });
}

const signInRules: readonly ExchangeRule[] = [
  tokenRule('company-token', 'A1', 'companyAuth', tokenForm, 'a token, in any field'),
  tokenRule('access-token', 'F1', 'login', tokenForm, 'an access token, in any field'),
  tokenRule('jwt', 'D6', 'verifyOtp', jwtForm, 'a JWT, in any field'),
  hostRule('points-information', 'stated D6', ['verifyOtp'], (exchange) => {
    const values = valuesOf(exchange);
    if (values === undefined) return undefined;
    const found = values.some(
      ([name, value]) =>
        !envelopeNumber.test(name) &&
        (typeof value === 'number' || (typeof value === 'string' && numberText.test(value))),
    );
    return unless(found, '/body', "the customer's points, in any field", undefined);
  }),
];

const orderRules: readonly ExchangeRule[] = [
  callerRule('line-names-an-item', 'stated A13', ['createRedemptionOrder'], ({ sent }) => {
    const lines = itemsOf(fieldsOf(sent).line_items);
    if (lines === undefined || lines.length === 0 || hasMasked(lines)) return undefined;
    return lines.flatMap((line, index): Issue[] => {
      const named = [...leavesOf(line)].some(([, value]) => typeof value === 'string' && value !== '');
      const expected = 'the sku_code of an item, in any field';
      return named ? [] : [{ pointer: `/body/line_items/${index}`, expected, actual: undefined }];
    });
  }),
];

/** Day, month and year with strokes. Whether they are padded, and whether the year is whole, is not stated. */
const dayMonthYear = /^(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\/(?:\d{4}|\d{2})$/;

const customerRules: readonly ExchangeRule[] = [
  hostRule('date-of-birth', 'stated R9', ['getProfileAndPoints'], ({ status, received }) => {
    const actual = textOf(fieldsOf(fieldsOf(received).profile).dob);
    if (status !== 200 || actual === undefined) return undefined;
    return unless(dayMonthYear.test(actual), '/body/profile/dob', 'day/month/year', actual);
  }),
];

/** Every rule over a request with its reply. */
export const exchangeRules: readonly ExchangeRule[] = [
  ...listingRules,
  ...orderRules,
  ...customerRules,
  ...redemptionRules,
  ...walletRules,
  ...signInRules,
  ...echoRules,
];

const rulesOf = new Map<string, ExchangeRule[]>();
for (const rule of exchangeRules) {
  for (const operation of rule.operations) rulesOf.set(operation, [...(rulesOf.get(operation) ?? []), rule]);
}

/** The operations whose callers a rule is about. */
export const operationsWithCallerRules: ReadonlySet<string> = new Set(
  exchangeRules.flatMap(({ party, operations }) => (party === 'caller' ? operations : [])),
);

/** What the rules say of one side of an exchange. */
interface RuleVerdict {
  readonly findings: readonly Finding[];
  /** The rules that the exchange satisfies. */
  readonly satisfied: readonly ExchangeRule[];
}

/** Judges the request of an exchange (`caller`) or its reply (`host`) by every rule over single exchanges. */
export function judgeExchange(parsed: ParsedExchange, operation: CheckedOperation, party: Party): RuleVerdict {
  const findings: Finding[] = [];
  const satisfied: ExchangeRule[] = [];
  for (const rule of rulesOf.get(parsed.operation) ?? []) {
    if (rule.party !== party) continue;
    const issues = rule.judge(parsed);
    if (issues?.length === 0) satisfied.push(rule);
    for (const issue of issues?.slice(0, mostIssues) ?? [])
      findings.push(exchangeFinding(rule, issue, parsed.exchange, operation));
  }
  return { findings, satisfied };
}
