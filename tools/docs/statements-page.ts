import { traceRules } from '../../sandbox/conformance/statements/judge-trace.ts';
import type { Statement } from '../../sandbox/conformance/statements/statement-tables.ts';
import { rules, statements } from '../../sandbox/conformance/statements/statements.ts';
import { escaped } from './citations.ts';

const overRecordings = new Set(traceRules.map(({ id }) => id));

/** A row for each statement: what checks it in traffic, or why nothing can. */
export function statementsInsert(): string {
  const rows = statements.map((statement) => `| ${escaped(statement.id)} | ${checkedBy(statement)} |`);
  return ['| Statement | Checked by |', '| --- | --- |', ...rows].join('\n');
}

/** A row for each rule that rests on an open point. */
export function assumedRulesInsert(): string {
  const assumed = [...rules.values()].filter(({ basis }) => !basis.startsWith('stated '));
  const rows = assumed.map(({ id, basis, party }) => `| ${words(id)} | ${escaped(basis)} | ${party} |`);
  return ['| Rule | Open point | Whom it blames |', '| --- | --- | --- |', ...rows].join('\n');
}

function checkedBy({ contract = [], rules: named = [], notVisible }: Statement): string {
  if (notVisible !== undefined) return `Not visible: ${escaped(notVisible)}`;
  const scope = (id: string) => (overRecordings.has(id) ? 'recording' : 'exchange');
  return [...(contract.length > 0 ? ['the contract'] : []), ...named.map((id) => `${words(id)} (${scope(id)})`)].join(
    '; ',
  );
}

const words = (id: string) => id.replaceAll('-', ' ');
