import type { Schemas } from '../api.ts';

/** Changes between two certification runs, and requirements that were not tested. */

export type Verdict = Schemas['RequirementVerdict'];
/** A verdict, and the verdict of the same requirement in the earlier run. */
export type Change = { verdict: Verdict; before: Verdict['verdict'] };

/** Returns the mandatory requirements that were not selected, grouped by the option that enables them. */
export function unjudgedOf(verdicts: readonly Verdict[]): { option: string; ids: string[] }[] {
  const missing = verdicts.filter(({ level, verdict }) => level === 'must' && verdict === 'not_selected');
  const options = [...Map.groupBy(missing, ({ option }) => option)];
  return options.flatMap(([option, of]) => (option === null ? [] : [{ option, ids: of.map(({ id }) => id) }]));
}

/** Returns how verdicts changed since another run: fixed requirements, newly failing ones, and all other changes. */
export function changesOf(before: readonly Verdict[], after: readonly Verdict[]) {
  const earlier = new Map(before.map(({ id, verdict }) => [id, verdict]));
  const changed = after.flatMap((verdict) => {
    const was = earlier.get(verdict.id);
    return was === undefined || was === verdict.verdict ? [] : [{ verdict, before: was }];
  });
  const fixed = changed.filter((change) => change.before === 'fail' && change.verdict.verdict === 'pass');
  const broken = changed.filter((change) => change.verdict.verdict === 'fail');
  return { fixed, broken, other: changed.filter((change) => !fixed.includes(change) && !broken.includes(change)) };
}
