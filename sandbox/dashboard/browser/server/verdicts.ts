import type { Schemas } from '../api.ts';

/** What changed between two runs of a certification, and what was not tested. */

export type Verdict = Schemas['RequirementVerdict'];
export type Change = { verdict: Verdict; before: Verdict['verdict'] };

/** The mandatory requirements that were not selected, by the option that would have them tested. */
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
