/** Checks the table of mistakes with whole runs. Several nightly files divide the areas among themselves. */
import { expect, it } from 'vitest';
import { type MistakeArea, type MistakeName, mistakes } from '../harness/partner/mistakes.ts';
import { expectedFailures, undetectedMistakes } from './caught.ts';
import { failedIds, startWholeRun } from './judged.ts';

/** Settings that shorten the runs against some servers. */
const quicker: Partial<Record<MistakeName, { readonly timeout_ms?: number; readonly raceMs?: number }>> = {
  slow: { timeout_ms: 500 },
  'resets-under-load': { raceMs: 5 },
};

/** Certifies a server with each mistake of the given areas, in all groups. */
export function holdsTable(...areas: readonly MistakeArea[]): void {
  const names = areas.flatMap((area) => Object.keys(mistakes[area])) as MistakeName[];

  it.each(names)('the mistake %s fails the requirements about it and no others', async (mistake) => {
    const { timeout_ms = 10_000, raceMs = 60 } = quicker[mistake] ?? {};
    const { run } = await startWholeRun({ mistake, raceMs });
    const report = await run({ timeout_ms });
    expect(failedIds(report)).toEqual(expectedFailures[mistake]);
    expect(report.counts.suite_error).toBe(0);
    if (undetectedMistakes[mistake] === undefined) expect(report.counts.fail).toBeGreaterThan(0);
  });
}
