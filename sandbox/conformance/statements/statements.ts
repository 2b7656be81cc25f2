import type { components } from '../../../generated/proxy/types.ts';
import { exchangeRules } from './judge-exchange.ts';
import { traceRules } from './judge-trace.ts';
import { behaviourStatements, operationStatements, recordStatements, type Statement } from './statement-tables.ts';

type StatementCoverage = components['schemas']['StatementCoverage'];

const sections = 'GABCDEFRSTMXLP';

/** Every numbered statement of docs/interface.md, with what checks it in traffic. */
export const statements: readonly Statement[] = [
  ...behaviourStatements,
  ...operationStatements,
  ...recordStatements,
].sort((one, other) => order(one.id) - order(other.id));

/** Every rule by its id. */
export const rules = new Map([...exchangeRules, ...traceRules].map((rule) => [rule.id, rule] as const));

function order(id: string): number {
  return sections.indexOf(id.slice(0, 1)) * 100 + Number(id.slice(1));
}

/** How many statements traffic can exercise, how many it did, and which it violated; for the text report. */
export function statementWords(coverage: readonly StatementCoverage[]): string {
  const visible = coverage.filter(({ state }) => state !== 'not_visible');
  const of = (state: StatementCoverage['state']) => visible.filter((one) => one.state === state);
  const [exercised, violated, open] = [of('kept'), of('violated'), of('not_observed')];
  const broken = violated.length === 0 ? '' : ` ${violated.length} violated (${listIds(violated)}).`;
  const unseen = open.length === 0 ? '' : ` Not observed: ${listIds(open)}.`;
  return `Statements: ${exercised.length} of ${visible.length} exercised without violation.${broken}${unseen}`;
}

/** The observations of one statement, in words. */
export function oneStatement({ state, kept, violated, exchanges }: StatementCoverage): string {
  if (state === 'not_observed') return 'not observed';
  if (state === 'not_visible') return 'not visible in traffic';
  if (state === 'kept') return `exercised without violation ${kept} times`;
  const calls = exchanges.map(({ number, method, url }) => `#${number} ${method} ${url}`);
  return `violated ${violated} times, by ${calls.join(', ')}`;
}

/** What a rule's finding says, for people who have not read the rule; undefined if no rule has this id. */
export function ruleWords(id: string): string | undefined {
  const rule = rules.get(id);
  if (rule === undefined) return undefined;
  return `the rule "${id.replaceAll('-', ' ')}" is violated (${rule.basis.replace('stated ', '')})`;
}

/** Most ids that a line names. */
const mostIds = 20;

function listIds(coverage: readonly StatementCoverage[]): string {
  const rest = coverage.length - mostIds;
  const listed = coverage.slice(0, mostIds).map(({ id }) => id);
  return `${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Whether traffic can exercise what an id or a letter names. */
export function isRequirable(name: string): boolean {
  return statements.some(({ id, notVisible }) => notVisible === undefined && names(name, id));
}

/** The required statements that no exchange exercised. */
export function unobserved(coverage: readonly StatementCoverage[], required: readonly string[]): string[] {
  return coverage
    .filter(({ id, state }) => state === 'not_observed' && required.some((name) => names(name, id)))
    .map(({ id }) => id);
}

function names(name: string, id: string): boolean {
  return name === id || (/^[A-Z]$/.test(name) && id.startsWith(name));
}
