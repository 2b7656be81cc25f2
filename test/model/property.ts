import fc from 'fast-check';
import { Driven } from './driven.ts';
import { Model } from './model.ts';
import { histories, type Step } from './steps.ts';

/** Runs a history on a sandbox and on a model. Returns the differences after the first step that causes any. */
export async function differencesIn(history: readonly Step[], Kind: typeof Model = Model): Promise<string[]> {
  const driven = new Driven((seeded) => new Kind(seeded));
  await driven.open();
  try {
    for (const [at, step] of history.entries()) {
      await driven.runStep(step);
      if (driven.differences.length > 0) return driven.differences.map((what) => `step ${at + 1}, ${step.do}: ${what}`);
    }
    return [];
  } finally {
    await driven.close();
  }
}

/** Generates histories until one causes a difference. fast-check then reports the seed and the shortest such history. */
export async function checkHistories({
  runs,
  steps,
  seed,
}: {
  runs: number;
  steps: number;
  seed?: number;
}): Promise<void> {
  const property = fc.asyncProperty(histories(steps), async (history) => {
    const differences = await differencesIn(history);
    if (differences.length > 0) throw new Error(differences.join('\n'));
  });
  await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) });
}
