/** Requirements that a run left unjudged, and the options that would have them judged. */
import type { RequirementVerdict } from './verdict.ts';

/** Requirements that one option would have judged. */
export interface Unjudged {
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
