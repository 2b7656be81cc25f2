/** What reports call verdicts and outcomes. */
import type { Report, RequirementVerdict, VerdictWord } from '../verdict.ts';

export const verdictNames = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  not_applicable: 'not applicable',
  not_selected: 'not checked',
  suite_error: 'suite error',
} as const satisfies Record<VerdictWord, string>;

/** What weights of requirements are called. */
export const levelNames = { must: 'mandatory', should: 'recommended' } as const satisfies Record<
  RequirementVerdict['level'],
  string
>;

const outcomes = {
  passed: 'Passed: all applicable mandatory requirements passed.',
  partial: 'Partial: no mandatory requirement failed, but some were not checked.',
  failed: 'Failed: some mandatory requirements are not met.',
  interrupted: 'Interrupted: the run was stopped early.',
  environment: 'Not started: the run lacks something it needs.',
  suite_error: 'Suite error: this is not a fault of the server.',
} as const satisfies Record<Report['outcome'], string>;

/** The result of a run, in one sentence. */
export function outcomeWords({ outcome, problem }: Pick<Report, 'outcome' | 'problem'>): string {
  return problem === null ? outcomes[outcome] : `${outcomes[outcome]} ${problem}`;
}

/** How much was judged, such as `148 of 150 mandatory and 40 of 41 recommended requirements`. */
export function coverageWords({ mandatory, recommended }: Report['coverage']): string {
  const share = ({ judged, of }: Report['coverage']['mandatory']) => `${judged} of ${of}`;
  return `${share(mandatory)} mandatory and ${share(recommended)} recommended requirements`;
}

/** The balances at the end, in one sentence. */
export function balanceWords({ balances }: Pick<Report, 'balances'>): string {
  if (balances === 'restored') return 'All balances were restored.';
  return balances === 'not_restored'
    ? 'Not all balances were restored.'
    : 'Could not check whether all balances were restored.';
}

/** Requirements that one option would have judged. */
interface Unjudged {
  /** Such as `--sandbox URL`; null where no option helps. */
  readonly option: string | null;
  readonly ids: readonly string[];
}

type Verdicts = readonly Pick<RequirementVerdict, 'id' | 'level' | 'verdict' | 'option'>[];

/** The mandatory requirements that were not selected, by the option that would have them judged. */
export function unjudgedMandatory(verdicts: Verdicts): readonly Unjudged[] {
  const left = verdicts.filter(({ level, verdict }) => level === 'must' && verdict === 'not_selected');
  const options = Map.groupBy(left, ({ option }) => option);
  return [...options].map(([option, those]) => ({ option, ids: those.map(({ id }) => id) }));
}

/** At most ten ids, and how many more there are. */
export function firstIds(ids: readonly string[]): string {
  return [...ids.slice(0, 10), ...(ids.length > 10 ? [`and ${ids.length - 10} more`] : [])].join(', ');
}

/** What to give so that more is judged, in one sentence; empty where no option helps. */
export function remedyOf(unjudged: readonly Unjudged[]): string {
  const ways = unjudged.flatMap(({ option, ids }) => (option === null ? [] : [`${option} (${firstIds(ids)})`]));
  return ways.length === 0 ? '' : `To check them: ${ways.join('; ')}.`;
}
