import { idsOf, isStated } from '../../contract/basis.ts';
import { exchangeRules } from './judge-exchange.ts';
import { traceRules } from './judge-trace.ts';
import { behaviourStatements, operationStatements, recordStatements, type Statement } from './statement-tables.ts';

const sections = 'GABCDEFRSTMXLP';

/** Every numbered statement of docs/interface.md, with what checks it in traffic. */
export const statements: readonly Statement[] = [
  ...behaviourStatements,
  ...operationStatements,
  ...recordStatements,
].sort((one, other) => order(one.id) - order(other.id));

/** Every rule by its id. */
export const rules = new Map([...exchangeRules, ...traceRules].map((rule) => [rule.id, rule] as const));

/** The statements that a rule with this basis judges. */
export function statementsOf(basis: string): readonly string[] {
  return isStated(basis) ? idsOf(basis) : [];
}

function order(id: string): number {
  return sections.indexOf(id.slice(0, 1)) * 100 + Number(id.slice(1));
}
