import { hostedOperations } from '../../docs/.vitepress/navigation.ts';
import { addTo as addCertify } from '../../sandbox/cli/certify.ts';
import { type CommandModule, newProgram } from '../../sandbox/cli/command-line.ts';
import { addTo as addListen } from '../../sandbox/cli/listen.ts';
import { addTo as addStart } from '../../sandbox/cli/start.ts';
import { addTo as addVerdict } from '../../sandbox/cli/verdict.ts';
import { addTo as addWorkflows } from '../../sandbox/cli/workflows.ts';
import { amountName, magicAmounts, magicCustomers, magicItems } from '../../sandbox/magic/table.ts';
import { magicTable } from '../generate/magic-page.ts';
import { operationLink, operationsOf, readBundle, referenced } from './bundles.ts';
import { cataloguesInsert } from './catalogues.ts';
import { escaped } from './citations.ts';
import { read } from './content.ts';
import { answersSchemaInsert, collectionsInsert, contractsInsert, schemaInsert } from './downloads.ts';
import { badge, errorIndexInsert, errorsInsert } from './errors-page.ts';
import { hostedInsert } from './hosted-page.ts';
import { assumedRulesInsert, interfaceInsert } from './interface-page.ts';
import { behaviourInsert, movedPointsInsert, registerInsert, settableInsert } from './register-page.ts';
import { requirementsInsert } from './requirements-page.ts';
import { samplesInsert } from './samples-insert.ts';
import { testPlanInsert } from './test-plan-page.ts';
import { workflowInputsInsert, workflowsInsert } from './workflows-page.ts';

/**
 * Content for `<!-- insert: name -->` in a page, keyed by name. Every build generates this content from the sources.
 */
const inserts: Readonly<Record<string, () => string>> = {
  'magic items': () => magicTable(magicItems),
  'magic customers': () => magicTable(magicCustomers),
  'magic amounts': () => magicTable(magicAmounts, amountName),
  'error index': errorIndexInsert,
  errors: errorsInsert,
  interface: interfaceInsert,
  'open points': registerInsert,
  'moved points': movedPointsInsert,
  'settable points': settableInsert,
  behaviour: behaviourInsert,
  requirements: requirementsInsert,
  'assumed rules': assumedRulesInsert,
  'test plan': testPlanInsert,
  'answers schema': answersSchemaInsert,
  'certify schema': schemaInsert,
  'verdict help': () => help(addVerdict),
  'certify help': () => help(addCertify),
  help: () => help(addStart),
  'listen help': () => help(addListen),
  workflows: workflowsInsert,
  'workflow inputs': workflowInputsInsert,
  'workflows help': () => help(addWorkflows),
  changelog: () => escaped(read('docs/changelog.md').replace(/^# .*\n/, '')),
  security: () => escaped(read('docs/security.md')),
  operations: operationTables,
  collections: collectionsInsert,
  contracts: contractsInsert,
  catalogues: cataloguesInsert,
};

/** Returns the text of a page with all inserts expanded. Throws for an unknown name. */
export function inserted(text: string): string {
  return text.replace(/<!-- insert: (.+?) -->/g, (_, name: string) => {
    const [kind, of] = name.split(' ');
    if (kind === 'diagram' && of !== undefined) return diagram(of);
    if (kind === 'samples' && of !== undefined) return samplesInsert(of);
    if (kind === 'hosted' && of !== undefined) return hostedInsert(of);
    const insert = inserts[name];
    if (insert === undefined) throw new Error(`There is nothing to insert called "${name}".`);
    return insert();
  });
}

/** Returns a drawing as inline SVG, so that it uses the colours of the theme. The drawing scrolls, so it must be reachable by keyboard. */
function diagram(name: string): string {
  const svg = read(`docs/guides/diagrams/${name}.svg`).trim().replaceAll('\n', '');
  return `<div class="diagram" tabindex="0" role="region" aria-label="Diagram: ${name.replaceAll('-', ' ')}">${svg}</div>`;
}

/** Returns the `--help` output of a command. */
function help(addTo: CommandModule['addTo']): string {
  const program = newProgram();
  addTo(program, () => async () => {});
  const {
    commands: [command = program],
  } = program;
  const lines: string[] = [];
  command.configureOutput({ writeOut: (text) => lines.push(text), getOutHelpWidth: () => 100 }).outputHelp();
  return `\`\`\`text\n${lines.join('').trim()}\n\`\`\``;
}

/** Returns the operations of all contracts as tables. Each operation has one anchor, unless it has its own page. */
function operationTables(): string {
  const seen = new Set<string>();
  const isFirst = (id: string) => !hostedOperations.includes(id) && !seen.has(id) && seen.add(id).has(id);
  return referenced.map((api) => operationTable(api, isFirst)).join('\n\n');
}

function operationTable(api: string, hasAnchor: (id: string) => boolean): string {
  const { info } = readBundle(api);
  return `## ${info.title} {#${api}}\n\n${info.summary} [Full reference](/reference/${api}).\n\n${rows(api, hasAnchor)}`;
}

function rows(api: string, hasAnchor: (id: string) => boolean): string {
  const lines = operationsOf(readBundle(api)).map(({ method, path, operation }) => {
    const { operationId, summary } = operation;
    const link = `[\`${method} ${path}\`](${operationLink(api, operation)})`;
    const anchor = hasAnchor(operationId) ? `<a id="${operationId}"></a>` : '';
    return `| ${link} | ${anchor}${summary}. \`${operationId}\` | ${badge(operation['x-basis'])} |`;
  });
  return `| Operation | What it does | Basis |\n| --- | --- | --- |\n${lines.join('\n')}`;
}
