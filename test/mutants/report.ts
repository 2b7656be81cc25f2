import type { Tried } from './run.ts';

/** One mutant in a line; what failed instead is in the lines after it where it was not killed. */
export function lineOf({ mutant, outcome, seconds, failed }: Tried): string {
  const line = `${outcome.padEnd(10)} ${seconds.toFixed(1).padStart(5)} s  ${mutant.id}`;
  if (outcome === 'killed') return line;
  const instead = failed.map((title) => `\n      failed: ${title}`).join('');
  return `${line}\n      ${mutant.title}\n      was to fail: "${mutant.killedBy}" in ${mutant.tests.join(', ')}${instead}`;
}

/** The table of all mutants that were tried, and the counts. */
export function table(tried: readonly Tried[]): string {
  const killed = tried.filter(({ outcome }) => outcome === 'killed').length;
  return `${[...tried.map(lineOf), `${killed} of ${tried.length} mutants killed`].join('\n')}\n`;
}

/** The same for machines. */
export function jsonReport(tried: readonly Tried[]): string {
  const mutants = tried.map(({ mutant: { id, title, file, tests, killedBy }, outcome, seconds, failed }) => ({
    ...{ id, title, file, tests, killedBy, outcome },
    ...{ seconds: Number(seconds.toFixed(1)), failed },
  }));
  const killed = tried.filter(({ outcome }) => outcome === 'killed').length;
  return `${JSON.stringify({ tried: tried.length, killed, mutants }, undefined, 2)}\n`;
}
