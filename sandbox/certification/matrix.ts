/** The verdicts of a certification as a matrix. The dashboard uses this module too, so it imports only types. */
import type { components } from '../../generated/sandbox/types.ts';

type Verdict = components['schemas']['RequirementVerdict'];

/** One cell of the matrix: its worst verdict, and the numbers of passed and tested requirements. */
export type Cell = Readonly<ReturnType<typeof cellOf>>;

/** Column headings by aspect, in display order. */
export const columns = {
  shape: 'Shape',
  token: 'Token',
  rules: 'Rules',
  exactly_once: 'Exactly once',
  reversal: 'Reversal',
  concurrency: 'Concurrency',
  robustness: 'Robustness',
} as const satisfies Record<Verdict['aspect'], string>;

/** Display names of verdicts. */
export const verdictNames = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  not_applicable: 'not applicable',
  not_selected: 'not checked',
  suite_error: 'suite error',
} as const satisfies Record<Verdict['verdict'], string>;

/** Verdicts, worst first. */
const order = ['fail', 'suite_error', 'blocked', 'pass', 'not_selected', 'not_applicable'] as const;

/** Returns a row for each operation, in the order of the requirements. The row for all operations comes last. */
export function matrixOf(verdicts: readonly Verdict[]) {
  const names = [...new Set(verdicts.map(({ operation }) => operation))];
  const operations = names.filter((name) => name !== null);
  return [...operations, ...(names.includes(null) ? [null] : [])].map((operation) => {
    const own = verdicts.filter((verdict) => verdict.operation === operation);
    const cells = Object.keys(columns).map((aspect) => [aspect, cellOf(own.filter((it) => it.aspect === aspect))]);
    return { name: operation ?? 'all operations', cells: Object.fromEntries(cells) as Record<Verdict['aspect'], Cell> };
  });
}

/** Returns a cell. Its worst verdict is `undefined` if no requirement belongs to it. */
function cellOf(verdicts: readonly Verdict[]) {
  const worst = order.find((word) => verdicts.some(({ verdict }) => verdict === word));
  const judged = verdicts.filter(({ verdict }) => verdict !== 'not_applicable' && verdict !== 'not_selected');
  return { worst, passed: judged.filter(({ verdict }) => verdict === 'pass').length, of: judged.length };
}
