/** The table of mistakes, held by whole runs: for its long forms, which share it out. */
import { expect, it } from 'vitest';
import { type MistakeArea, type MistakeName, mistakes } from '../harness/partner/mistakes.ts';
import { caught, uncaught } from './caught/caught.ts';
import { failed, wholly } from './judged.ts';

/** What is set so that a run against some servers does not wait long for nothing. */
const quicker: Partial<Record<MistakeName, { readonly timeout_ms?: number; readonly raceMs?: number }>> = {
  slow: { timeout_ms: 500 },
  'resets-under-load': { raceMs: 5 },
};

/** Certifies a server with each mistake of some areas, in all groups. */
export function holdsTable(...areas: readonly MistakeArea[]): void {
  const names = areas.flatMap((area) => Object.keys(mistakes[area])) as MistakeName[];

  it.each(names)('the mistake %s fails the requirements about it and no others', async (mistake) => {
    const { timeout_ms = 10_000, raceMs = 60 } = quicker[mistake] ?? {};
    const { run } = await wholly({ mistake, raceMs });
    const report = await run({ timeout_ms });
    expect(failed(report)).toEqual(caught[mistake]);
    expect(report.counts.suite_error).toBe(0);
    if (uncaught[mistake] === undefined) expect(report.counts.fail).toBeGreaterThan(0);
  });
}
