import { mostIssues } from '../../contract/schemas.ts';
import type { CheckedOperation } from '../contracts.ts';
import type { Finding } from '../finding.ts';
import { echoRules } from './exchange-rules/echoes.ts';
import { listingRules } from './exchange-rules/listing.ts';
import { redemptionRules } from './exchange-rules/redemption.ts';
import { signInRules } from './exchange-rules/sign-in.ts';
import { walletRules } from './exchange-rules/wallet.ts';
import { fieldsOf, hasMasked, itemsOf, leavesOf, type ParsedExchange, textOf } from './parsed-exchange.ts';
import type { ExchangeRule, Issue, Party } from './rule.ts';
import { unless } from './rule.ts';
import { exchangeFinding } from './rule-finding.ts';

const orderRules: readonly ExchangeRule[] = [
  {
    id: 'line-names-an-item',
    basis: 'stated A13',
    party: 'caller',
    operations: ['createRedemptionOrder'],
    judge({ sent }) {
      const lines = itemsOf(fieldsOf(sent).line_items);
      if (lines === undefined || lines.length === 0 || hasMasked(lines)) return undefined;
      return lines.flatMap((line, index): Issue[] => {
        const named = [...leavesOf(line)].some(([, value]) => typeof value === 'string' && value !== '');
        const expected = 'the sku_code of an item, in any field';
        return named ? [] : [{ pointer: `/body/line_items/${index}`, expected, actual: undefined }];
      });
    },
  },
];

/** Day, month and year with strokes. Whether they are padded, and whether the year is whole, is not stated. */
const dayMonthYear = /^(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\/(?:\d{4}|\d{2})$/;

const customerRules: readonly ExchangeRule[] = [
  {
    id: 'date-of-birth',
    basis: 'stated R9',
    party: 'host',
    operations: ['getProfileAndPoints'],
    judge({ status, received }) {
      const actual = textOf(fieldsOf(fieldsOf(received).profile).dob);
      if (status !== 200 || actual === undefined) return undefined;
      return unless(dayMonthYear.test(actual), '/body/profile/dob', 'day/month/year', actual);
    },
  },
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
