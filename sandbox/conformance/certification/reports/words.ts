/** What reports call verdicts and outcomes. */
import type { Report, RequirementVerdict, VerdictWord } from '../verdict.ts';

export const verdictNames = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  not_applicable: 'not applicable',
  not_selected: 'not judged',
  suite_error: 'error of the suite',
} as const satisfies Record<VerdictWord, string>;

/** What weights of requirements are called. */
export const levelNames = { must: 'mandatory', should: 'recommended' } as const satisfies Record<
  RequirementVerdict['level'],
  string
>;

const outcomes = {
  passed: 'Passed: every mandatory requirement was judged and holds.',
  partial: 'Partial: no mandatory requirement failed, but not all of them were judged.',
  failed: 'Failed: not every mandatory requirement holds.',
  interrupted: 'Interrupted: the run was ended before its end.',
  environment: 'Not begun: something that the run needs is missing.',
  suite_error: 'Error of this suite: it is not the fault of the server.',
} as const satisfies Record<Report['outcome'], string>;

/** What a run came to, in one sentence. */
export function outcomeWords({ outcome, problem }: Pick<Report, 'outcome' | 'problem'>): string {
  return problem === null ? outcomes[outcome] : `${outcomes[outcome]} ${problem}`;
}

/** How much was judged, such as `148 of 150 mandatory and 40 of 41 recommended requirements`. */
export function coverageWords({ mandatory, recommended }: Report['coverage']): string {
  const share = ({ judged, of }: Report['coverage']['mandatory']) => `${judged} of ${of}`;
  return `${share(mandatory)} mandatory and ${share(recommended)} recommended requirements`;
}

/** Books at the end, in one sentence. */
export function booksWords({ books }: Pick<Report, 'books'>): string {
  if (books === 'even') return 'The balances are as they were before the run.';
  return books === 'uneven'
    ? 'The balances are not as they were before the run.'
    : 'Whether the balances are as they were before the run is not known.';
}
