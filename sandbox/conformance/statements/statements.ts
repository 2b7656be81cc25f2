import type { components } from '../../../generated/proxy/types.ts';
import { exchangeRules } from './judge-exchange.ts';
import { traceRules } from './judge-trace.ts';
import { behaviourStatements, operationStatements, recordStatements, type Statement } from './statement-tables.ts';

type StatementCoverage = components['schemas']['StatementCoverage'];

const sections = 'GABCDEFRSTMXLP';

/** All numbered statements of docs/interface.md, with the checks for each in traffic. */
export const statements: readonly Statement[] = [
  ...behaviourStatements,
  ...operationStatements,
  ...recordStatements,
].sort((one, other) => order(one.id) - order(other.id));

/** All rules, by id. */
export const rules = new Map([...exchangeRules, ...traceRules].map((rule) => [rule.id, rule] as const));

function order(id: string): number {
  return sections.indexOf(id.slice(0, 1)) * 100 + Number(id.slice(1));
}

/** Summarizes for the text report how many statements traffic exercised, and which ones it violated or did not exercise. */
export function statementWords(coverage: readonly StatementCoverage[]): string {
  const visible = coverage.filter(({ state }) => state !== 'not_visible');
  const of = (state: StatementCoverage['state']) => visible.filter((one) => one.state === state);
  const [exercised, violated, open] = [of('kept'), of('violated'), of('not_observed')];
  const broken = violated.length === 0 ? '' : ` ${violated.length} violated (${listIds(violated)}).`;
  const unseen = open.length === 0 ? '' : ` Not observed: ${listIds(open)}.`;
  return `Statements: ${exercised.length} of ${visible.length} exercised without violation.${broken}${unseen}`;
}

/** Describes the observations of one statement. */
export function oneStatement({ state, kept, violated, exchanges }: StatementCoverage): string {
  if (state === 'not_observed') return 'not observed';
  if (state === 'not_visible') return 'not visible in traffic';
  if (state === 'kept') return `exercised without violation ${kept} times`;
  const calls = exchanges.map(({ number, method, url }) => `#${number} ${method} ${url}`);
  return `violated ${violated} times, by ${calls.join(', ')}`;
}

/** Describes a violation of a rule to people who have not read the rule. Returns `undefined` if no rule has this id. */
export function ruleWords(id: string): string | undefined {
  const rule = rules.get(id);
  if (rule === undefined) return undefined;
  return `the rule "${id.replaceAll('-', ' ')}" is violated (${rule.basis.replace('stated ', '')})`;
}

/** Maximum number of ids listed in one line. */
const mostIds = 20;

function listIds(coverage: readonly StatementCoverage[]): string {
  const rest = coverage.length - mostIds;
  const listed = coverage.slice(0, mostIds).map(({ id }) => id);
  return `${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns whether traffic can exercise the statement with this id, or any statement in the section with this letter. */
export function isRequirable(name: string): boolean {
  return statements.some(({ id, notVisible }) => notVisible === undefined && names(name, id));
}

/** Returns the ids of the required statements that no exchange exercised. `required` contains ids or section letters. */
export function unobserved(coverage: readonly StatementCoverage[], required: readonly string[]): string[] {
  return coverage
    .filter(({ id, state }) => state === 'not_observed' && required.some((name) => names(name, id)))
    .map(({ id }) => id);
}

function names(name: string, id: string): boolean {
  return name === id || (/^[A-Z]$/.test(name) && id.startsWith(name));
}
