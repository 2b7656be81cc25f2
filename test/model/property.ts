import fc from 'fast-check';
import { Driven } from './driven.ts';
import { Model } from './model.ts';
import { histories, type Step } from './steps.ts';

/**
 * Carries a history out on a sandbox and on a model. Returns what differs after the first step after which something
 * does.
 */
export async function differencesIn(history: readonly Step[], Kind: typeof Model = Model): Promise<string[]> {
  const driven = new Driven((seeded) => new Kind(seeded));
  await driven.open();
  try {
    for (const [at, step] of history.entries()) {
      await driven.take(step);
      if (driven.differences.length > 0) return driven.differences.map((what) => `step ${at + 1}, ${step.do}: ${what}`);
    }
    return [];
  } finally {
    await driven.close();
  }
}

/** Draws histories until one makes a difference; fast-check then tells the seed and the shortest that does. */
export async function holds({ runs, steps, seed }: { runs: number; steps: number; seed?: number }): Promise<void> {
  const property = fc.asyncProperty(histories(steps), async (history) => {
    const found = await differencesIn(history);
    if (found.length > 0) throw new Error(found.join('\n'));
  });
  await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) });
}
