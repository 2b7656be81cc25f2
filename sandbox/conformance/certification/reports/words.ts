/** What reports call verdicts and outcomes. */
import type { Report, VerdictWord } from '../verdict.ts';

export const verdictNames = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  not_applicable: 'not applicable',
  not_selected: 'not judged',
  suite_error: 'error of the suite',
} as const satisfies Record<VerdictWord, string>;

const outcomes = {
  passed: 'Passed: every requirement that must hold was judged, and holds.',
  incomplete: 'Incomplete: nothing that must hold failed, but not all of it was judged.',
  failed: 'Failed: some of what must hold does not.',
  interrupted: 'Interrupted: the run was ended before its end.',
  environment: 'Not begun: the run lacks something that it needs.',
  suite_error: 'Error of this suite: it is not the fault of the server.',
} as const satisfies Record<Report['outcome'], string>;

/** What a run came to, in one sentence. */
export function outcomeWords({ outcome, problem }: Pick<Report, 'outcome' | 'problem'>): string {
  return problem === null ? outcomes[outcome] : `${outcomes[outcome]} ${problem}`;
}

/** Books at the end, in one sentence. */
export function booksWords({ books }: Pick<Report, 'books'>): string {
  if (books === 'even') return 'The balances are as they were before the run.';
  return books === 'uneven'
    ? 'The balances are not as they were before the run.'
    : 'Whether the balances are as they were before the run is not known.';
}
