import type { CheckedOperation } from '../contracts.ts';
import type { Finding } from '../finding.ts';
import { exchangeRules } from './exchange-rules/exchange-rules.ts';
import type { ParsedExchange } from './parsed-exchange.ts';
import type { ExchangeRule, Party } from './rule.ts';
import { exchangeFinding } from './rule-finding.ts';

const rulesOf = new Map<string, ExchangeRule[]>();
for (const rule of exchangeRules) {
  for (const operation of rule.operations) rulesOf.set(operation, [...(rulesOf.get(operation) ?? []), rule]);
}

/** What the rules say of one side of an exchange. */
export interface RuleVerdict {
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
    for (const issue of issues ?? []) findings.push(exchangeFinding(rule, issue, parsed.exchange, operation));
  }
  return { findings, satisfied };
}
