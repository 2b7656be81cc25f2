import type { Tried } from './run.ts';

/** One defect in a line; what failed instead is in the lines after it where it was not seen. */
export function lineOf({ defect, outcome, seconds, failed }: Tried): string {
  const line = `${outcome.padEnd(10)} ${seconds.toFixed(1).padStart(5)} s  ${defect.id}`;
  if (outcome === 'seen') return line;
  const instead = failed.map((title) => `\n      failed: ${title}`).join('');
  return `${line}\n      ${defect.title}\n      was to fail: "${defect.seenBy}" in ${defect.tests.join(', ')}${instead}`;
}

/** The table of all defects that were tried, and the counts. */
export function table(tried: readonly Tried[]): string {
  const seen = tried.filter(({ outcome }) => outcome === 'seen').length;
  return `${[...tried.map(lineOf), `${seen} of ${tried.length} defects seen`].join('\n')}\n`;
}

/** The same for machines. */
export function jsonReport(tried: readonly Tried[]): string {
  const defects = tried.map(({ defect: { id, title, file, tests, seenBy }, outcome, seconds, failed }) => ({
    ...{ id, title, file, tests, seenBy, outcome },
    ...{ seconds: Number(seconds.toFixed(1)), failed },
  }));
  const seen = tried.filter(({ outcome }) => outcome === 'seen').length;
  return `${JSON.stringify({ tried: tried.length, seen, defects }, undefined, 2)}\n`;
}
