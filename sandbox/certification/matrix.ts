/** The verdicts of a certification as a matrix: one for the reports and the dashboard, so it has no imports but types. */
import type { components } from '../../generated/sandbox/types.ts';

type Verdict = components['schemas']['RequirementVerdict'];

/** One field: its worst verdict, and how many of those that were tested passed. */
export interface Cell {
  /** Undefined if no requirement is about it. */
  readonly worst: Verdict['verdict'] | undefined;
  readonly passed: number;
  readonly of: number;
}

interface MatrixRow {
  /** operationId, or `all operations`. */
  readonly name: string;
  readonly cells: Readonly<Record<Verdict['aspect'], Cell>>;
}

/** The columns, in their order, and what heads them. */
export const columns = {
  shape: 'Shape',
  token: 'Token',
  rules: 'Rules',
  exactly_once: 'Exactly once',
  reversal: 'Reversal',
  concurrency: 'Concurrency',
  robustness: 'Robustness',
} as const satisfies Record<Verdict['aspect'], string>;

/** What verdicts are called. */
export const verdictNames = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  not_applicable: 'not applicable',
  not_selected: 'not checked',
  suite_error: 'suite error',
} as const satisfies Record<Verdict['verdict'], string>;

/** The worst first. */
const order = ['fail', 'suite_error', 'blocked', 'pass', 'not_selected', 'not_applicable'] as const;

/** A row for each operation, in the order in which the requirements name them, what is about all of them last. */
export function matrixOf(verdicts: readonly Verdict[]): MatrixRow[] {
  const names = [...new Set(verdicts.map(({ operation }) => operation))];
  const operations = names.filter((name) => name !== null);
  return [...operations, ...(names.includes(null) ? [null] : [])].map((operation) => {
    const own = verdicts.filter((verdict) => verdict.operation === operation);
    const cells = Object.keys(columns).map((aspect) => [aspect, cellOf(own.filter((it) => it.aspect === aspect))]);
    return { name: operation ?? 'all operations', cells: Object.fromEntries(cells) as MatrixRow['cells'] };
  });
}

function cellOf(verdicts: readonly Verdict[]): Cell {
  const worst = order.find((word) => verdicts.some(({ verdict }) => verdict === word));
  const judged = verdicts.filter(({ verdict }) => verdict !== 'not_applicable' && verdict !== 'not_selected');
  return { worst, passed: judged.filter(({ verdict }) => verdict === 'pass').length, of: judged.length };
}
