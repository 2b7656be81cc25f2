import type { Schemas } from '../api.ts';

/** Rules of what a certification shows: the matrix, as reports have it, and what changed between two runs. */

export type Verdict = Schemas['RequirementVerdict'];
type Word = Verdict['verdict'];
type Aspect = Verdict['aspect'];
export interface Cell {
  /** Undefined where no requirement is about it. */
  worst: Word | undefined;
  passed: number;
  /** Those that were judged. */
  of: number;
}
type MatrixRow = { name: string; cells: Record<Aspect, Cell> };
export type Change = { verdict: Verdict; before: Word };

/** The columns, in their order, and what heads them. */
export const columns = {
  shape: 'Shape',
  token: 'Token',
  rules: 'Rules',
  exactly_once: 'Exactly once',
  reversal: 'Reversal',
  concurrency: 'Concurrency',
  robustness: 'Robustness',
} as const;

/** What verdicts are called. */
export const verdictNames = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  not_applicable: 'not applicable',
  not_selected: 'not checked',
  suite_error: 'suite error',
} as const;

/** The worst first. */
const order = ['fail', 'suite_error', 'blocked', 'pass', 'not_selected', 'not_applicable'] as const;

/** A row for each operation, in the order in which the requirements name them, what is about all of them last. */
export function matrixOf(verdicts: readonly Verdict[]): MatrixRow[] {
  const names = [...new Set(verdicts.map(({ operation }) => operation))];
  const operations = names.filter((name) => name !== null);
  return [...operations, ...(names.includes(null) ? [null] : [])].map((operation) => {
    const own = verdicts.filter((verdict) => verdict.operation === operation);
    const cells = Object.keys(columns).map((aspect) => [aspect, cellOf(own.filter((it) => it.aspect === aspect))]);
    return { name: operation ?? 'all operations', cells: Object.fromEntries(cells) };
  });
}

function cellOf(verdicts: readonly Verdict[]): Cell {
  const worst = order.find((word) => verdicts.some(({ verdict }) => verdict === word));
  const judged = verdicts.filter(({ verdict }) => verdict !== 'not_applicable' && verdict !== 'not_selected');
  return { worst, passed: judged.filter(({ verdict }) => verdict === 'pass').length, of: judged.length };
}

/** The mandatory requirements that were not selected, by the option that would have them judged. */
export function unjudgedOf(verdicts: readonly Verdict[]): { option: string; ids: string[] }[] {
  const missing = verdicts.filter(({ level, verdict }) => level === 'must' && verdict === 'not_selected');
  const options = [...Map.groupBy(missing, ({ option }) => option)];
  return options.flatMap(([option, of]) => (option === null ? [] : [{ option, ids: of.map(({ id }) => id) }]));
}

/**
 * What became of requirements since another run: those that hold now, those that fail now, and all other changes.
 */
export function changesOf(
  before: readonly Verdict[],
  after: readonly Verdict[],
): { fixed: Change[]; broken: Change[]; other: Change[] } {
  const earlier = new Map(before.map(({ id, verdict }) => [id, verdict]));
  const changed = after.flatMap((verdict) => {
    const was = earlier.get(verdict.id);
    return was === undefined || was === verdict.verdict ? [] : [{ verdict, before: was }];
  });
  const fixed = changed.filter((change) => change.before === 'fail' && change.verdict.verdict === 'pass');
  const broken = changed.filter((change) => change.verdict.verdict === 'fail');
  return { fixed, broken, other: changed.filter((change) => !fixed.includes(change) && !broken.includes(change)) };
}
