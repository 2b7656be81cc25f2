/** The verdicts as a matrix: what each operation does right, column by column. */
import type { Aspect } from '../requirement.ts';
import type { Report, RequirementVerdict, VerdictWord } from '../verdict.ts';

/** The columns, in their order, and what heads them. */
export const columns = {
  shape: 'Shape',
  token: 'Token',
  rules: 'Rules',
  exactly_once: 'Exactly once',
  reversal: 'Reversal',
  concurrency: 'Concurrency',
  robustness: 'Robustness',
} as const satisfies Record<Aspect, string>;

/** One field of the matrix: its worst verdict, and the verdicts behind it. */
export interface Cell {
  /** Undefined where no requirement is about it. */
  readonly worst: VerdictWord | undefined;
  readonly passed: number;
  readonly of: number;
  readonly verdicts: readonly RequirementVerdict[];
}

export interface MatrixRow {
  /** operationId, or `all operations`. */
  readonly name: string;
  readonly cells: Readonly<Record<Aspect, Cell>>;
}

/** The worst first. */
const order: readonly VerdictWord[] = ['fail', 'suite_error', 'blocked', 'pass', 'not_selected', 'not_applicable'];

/** The matrix of a report: a row for each operation, in the order in which the requirements name them. */
export function matrixOf({ verdicts }: Pick<Report, 'verdicts'>): readonly MatrixRow[] {
  const names = [...new Set(verdicts.map(({ operation }) => operation))];
  const last = names.filter((name) => name !== null);
  return [...last, ...(names.includes(null) ? [null] : [])].map((operation) => {
    const own = verdicts.filter((verdict) => verdict.operation === operation);
    const cells = Object.keys(columns).map((aspect) => [aspect, cell(own.filter((it) => it.aspect === aspect))]);
    return { name: operation ?? 'all operations', cells: Object.fromEntries(cells) as MatrixRow['cells'] };
  });
}

function cell(verdicts: readonly RequirementVerdict[]): Cell {
  const worst = order.find((word) => verdicts.some(({ verdict }) => verdict === word));
  const judged = verdicts.filter(({ verdict }) => verdict !== 'not_applicable' && verdict !== 'not_selected');
  return { worst, passed: judged.filter(({ verdict }) => verdict === 'pass').length, of: judged.length, verdicts };
}
