import { traceRules } from '../../sandbox/conformance/statements/judge-trace.ts';
import { rules, statements } from '../../sandbox/conformance/statements/statements.ts';
import { escaped } from './citations.ts';
import { read } from './content.ts';

const overRecordings = new Set(traceRules.map(({ id }) => id));

/** Returns the statements of the interface, each with its own anchor, such as `#a1`, and the traffic checks that cover it. */
export function interfaceInsert(): string {
  return escaped(read('docs/interface.md').replace(/^# .*\n/, ''))
    .replaceAll(
      /^(?:- |\| )\*\*\[(\w+)\]\S+\*\* .*(?:\n {2}\S.*)*/gm,
      (item, id: string) =>
        `${item.replace(/ \|$/, '')} <small class="checked">${checkedBy(id)}</small>${/ \|$/.exec(item) ?? ''}`,
    )
    .replaceAll(
      /^(- |\| )\*\*(\[(\w+)\]\S+)\*\* /gm,
      (_, before: string, link: string, id: string) => `${before}<strong id="${id.toLowerCase()}">${link}</strong> `,
    );
}

/** Returns a table with a row for each rule that is based on an open point. */
export function assumedRulesInsert(): string {
  const assumed = [...rules.values()].filter(({ basis }) => !basis.startsWith('stated '));
  const rows = assumed.map(({ id, basis, party }) => `| ${words(id)} | ${escaped(basis)} | ${party} |`);
  return ['| Rule | Open point | Whom it blames |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Returns the traffic checks for a statement, or the reason why there are none. */
function checkedBy(id: string): string {
  const statement = statements.find((each) => each.id === id);
  if (statement === undefined) throw new Error(`Nothing says what checks ${id}.`);
  const { contract = [], rules: named = [], notVisible } = statement;
  if (notVisible !== undefined) return `Not visible: ${escaped(notVisible)}`;
  const scope = (id: string) => (overRecordings.has(id) ? 'recording' : 'exchange');
  return [...(contract.length > 0 ? ['the contract'] : []), ...named.map((id) => `${words(id)} (${scope(id)})`)].join(
    '; ',
  );
}

const words = (id: string) => id.replaceAll('-', ' ');
