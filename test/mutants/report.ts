import type { Tested } from './run.ts';

/** One mutant in a line. For one that was not killed, the lines after it say what failed instead. */
export function lineOf({ mutant, outcome, seconds, failed }: Tested): string {
  const line = `${outcome.padEnd(10)} ${seconds.toFixed(1).padStart(5)} s  ${mutant.id}`;
  if (outcome === 'killed') return line;
  const instead = failed.map((title) => `\n      failed: ${title}`).join('');
  return `${line}\n      ${mutant.title}\n      must fail: "${mutant.killedBy}"${instead}`;
}

/** The closing line: how many mutants had each outcome. */
export function summary(tested: readonly Tested[]): string {
  const counts = Object.entries(Object.groupBy(tested, ({ outcome }) => outcome));
  return `${tested.length} mutants: ${counts.map(([outcome, those]) => `${those.length} ${outcome}`).join(', ')}\n`;
}
