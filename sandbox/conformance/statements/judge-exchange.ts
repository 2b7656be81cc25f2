import { mostIssues } from '../../contract/schemas.ts';
import { unverifiedPart } from '../../runtime/tokens.ts';
import type { CheckedOperation } from '../contracts.ts';
import { contentOf } from '../decoding.ts';
import type { HeaderList } from '../exchange.ts';
import { callOf, type Finding } from '../finding.ts';
import { listingRules } from './exchange-rules/listing.ts';
import { echoRules, redemptionRules } from './exchange-rules/redemption.ts';
import { fieldsOf, hasMasked, itemsOf, leavesOf, type ParsedExchange, textOf, wholeOf } from './parsed-exchange.ts';
import { callerRule, type ExchangeRule, hostRule, type Issue, type Party, ruleFinding, unless } from './rule.ts';

/** The form of a token: visible ASCII characters without spaces. */
const tokenForm = /^[!-~]+$/;
/** Envelope fields whose text is not a token. */
const envelopeText = /type|scheme|name|message|status|expires|code/i;
const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const numberText = /^\d+(?:\.\d+)?$/;
/** Envelope fields whose numbers are not points. */
const envelopeNumber = /^(status|code|success|expires?\w*|ttl|\w*(?:_at|_in)|iat|exp)$/i;

/** Returns whether the headers of a reply could contain a token. */
function hasTokenHeader(headers: HeaderList | undefined): boolean {
  return headers === undefined || headers.some(([name]) => /token|authorization|cookie/i.test(name));
}

/** Returns the named values of a successful reply whose body is complete. */
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

/** Maximum difference between the two lifetimes that a server states for a JWT, in seconds. */
const expiryTolerance = 5;

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
  hostRule('expiry-as-announced', 'OP-19', ['verifyOtp'], ({ status, received }) => {
    const { token, expires_in } = fieldsOf(received);
    const { iat, exp } = unverifiedPart(textOf(token) ?? '', 'claims') ?? {};
    const [announced, lifetime] = [wholeOf(expires_in), Number(exp) - Number(iat)];
    if (status !== 200 || announced === undefined || !Number.isFinite(lifetime)) return undefined;
    const expected = `${lifetime}, as \`iat\` and \`exp\` of the JWT say`;
    return unless(Math.abs(lifetime - announced) <= expiryTolerance, '/body/expires_in', expected, announced);
  }),
];

/** A number of points with a fraction of zero, which a strictly typed parser may refuse. */
const zeroFraction = /"(balance|totalEarned|totalRedeemed)"\s{0,9}:\s{0,9}(-?\d{1,19}\.0{1,9})(?!\d)/;

/** Day, month and year, separated by slashes. The interface does not state whether they are padded, or whether the year has four digits. */
const dayMonthYear = /^(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\/(?:\d{4}|\d{2})$/;

/** The format of the dates of a voucher. */
const dateForm = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

function vouchersOf({ status, received }: ParsedExchange): readonly Readonly<Record<string, unknown>>[] | undefined {
  const vouchers = status === 200 ? itemsOf(fieldsOf(received).data) : undefined;
  return vouchers?.map(fieldsOf);
}

/**
 * Creates a rule about each voucher of a reply. `look` receives a set that it can use to remember earlier vouchers. The rule is not
 * observed if it applies to no voucher.
 */
function eachVoucher(
  id: string,
  basis: string,
  look: (
    voucher: Readonly<Record<string, unknown>>,
    place: string,
    before: Set<string>,
  ) => readonly Issue[] | undefined,
): ExchangeRule {
  return hostRule(id, basis, ['getWalletDetail'], (exchange) => {
    const before = new Set<string>();
    const seen = (vouchersOf(exchange) ?? []).map((voucher, index) => look(voucher, `/body/data/${index}`, before));
    const judged = seen.filter((one) => one !== undefined);
    return judged.length === 0 ? undefined : judged.flat();
  });
}

const walletRules: readonly ExchangeRule[] = [
  eachVoucher('voucher-code-unique', 'stated R23', ({ voucherCode }, place, before) => {
    const code = textOf(voucherCode);
    if (code === undefined) return undefined;
    const repeated = before.has(code);
    before.add(code);
    return unless(!repeated, `${place}/voucherCode`, 'a code not used by another voucher', code);
  }),
  eachVoucher('validity-begins-before-it-ends', 'stated R22', ({ validityStartDate, validityEndDate }, place) => {
    const [start, end] = [textOf(validityStartDate), textOf(validityEndDate)];
    if (start === undefined || end === undefined || !dateForm.test(start) || !dateForm.test(end)) return undefined;
    return unless(start <= end, `${place}/validityEndDate`, `not before ${start}`, end);
  }),
  eachVoucher('validity-is-a-date', 'stated R24', ({ validityStartDate, validityEndDate }, place) => {
    const dates = Object.entries({ validityStartDate, validityEndDate });
    const written = dates.filter(([, date]) => dateForm.test(textOf(date) ?? ''));
    if (written.length === 0) return undefined;
    const [name, wrong] = written.find(([, date]) => !isDate(String(date))) ?? [];
    return unless(name === undefined, `${place}/${name}`, 'a valid date and time', wrong);
  }),
  hostRule('vouchers-oldest-first', 'OP-27', ['getWalletDetail'], (exchange) => {
    const starts = (vouchersOf(exchange) ?? []).map(({ validityStartDate }) => textOf(validityStartDate) ?? '');
    if (starts.length < 2 || !starts.every((start) => dateForm.test(start))) return undefined;
    const index = starts.findIndex((start, at) => at > 0 && start < (starts[at - 1] ?? ''));
    const expected = `not before ${starts[index - 1]}, since the oldest is first`;
    return index < 0 ? [] : [{ pointer: `/body/data/${index}/validityStartDate`, expected, actual: starts[index] }];
  }),
];

/** Returns whether a string of the stated format is a valid date and time. */
function isDate(text: string): boolean {
  const time = Date.parse(`${text.replace(' ', 'T')}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.replace(' ', 'T'));
}

/** All exchange rules: rules about a single request and its reply. */
export const exchangeRules: readonly ExchangeRule[] = [
  ...listingRules,
  callerRule('line-names-an-item', 'stated A13', ['createRedemptionOrder'], ({ sent }) => {
    const lines = itemsOf(fieldsOf(sent).line_items);
    if (lines === undefined || lines.length === 0 || hasMasked(lines)) return undefined;
    return lines.flatMap((line, index): Issue[] => {
      const named = [...leavesOf(line)].some(([, value]) => typeof value === 'string' && value !== '');
      const expected = 'the sku_code of an item, in any field';
      return named ? [] : [{ pointer: `/body/line_items/${index}`, expected, actual: undefined }];
    });
  }),
  hostRule('date-of-birth', 'stated R9', ['getProfileAndPoints'], ({ status, received }) => {
    const actual = textOf(fieldsOf(fieldsOf(received).profile).dob);
    if (status !== 200 || actual === undefined) return undefined;
    return unless(dayMonthYear.test(actual), '/body/profile/dob', 'day/month/year', actual);
  }),
  ...redemptionRules,
  ...walletRules,
  ...signInRules,
  hostRule(
    'points-without-a-fraction',
    'OP-140',
    ['getProfileAndPoints', 'getCustomerPoints', 'verifyOtp'],
    (parsed) => {
      const { reply } = parsed.exchange;
      const content = parsed.status === 200 && reply !== undefined ? contentOf(reply) : undefined;
      if (content?.kind !== 'text') return undefined;
      const [, name, actual] = zeroFraction.exec(content.text) ?? [];
      return unless(name === undefined, `/body/points/${name}`, 'an integer without a fraction, such as 25000', actual);
    },
  ),
  ...echoRules,
];

const rulesOf = new Map<string, ExchangeRule[]>();
for (const rule of exchangeRules) {
  for (const operation of rule.operations) rulesOf.set(operation, [...(rulesOf.get(operation) ?? []), rule]);
}

/** Operations with at least one rule about their caller. */
export const operationsWithCallerRules: ReadonlySet<string> = new Set(
  exchangeRules.flatMap(({ party, operations }) => (party === 'caller' ? operations : [])),
);

/**
 * Checks the request (`caller`) or the reply (`host`) of an exchange against the exchange rules. Returns the findings, and the rules
 * that the exchange satisfies.
 */
export function judgeExchange(parsed: ParsedExchange, operation: CheckedOperation, party: Party) {
  const findings: Finding[] = [];
  const satisfied: ExchangeRule[] = [];
  for (const rule of rulesOf.get(parsed.operation) ?? []) {
    if (rule.party !== party) continue;
    const issues = rule.judge(parsed);
    if (issues?.length === 0) satisfied.push(rule);
    for (const issue of issues?.slice(0, mostIssues) ?? [])
      findings.push(ruleFinding('rule', rule, issue, callOf(parsed.exchange), operation));
  }
  return { findings, satisfied };
}
