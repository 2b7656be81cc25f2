/**
 * Compares the sandbox with a model of the interface (OP-06 to OP-09, OP-21 to OP-24, OP-27, OP-29, OP-35, OP-49 to
 * OP-52, OP-64, OP-70).
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scaled } from '../harness/scale.ts';
import { Driven } from './driven.ts';
import { histories, type Step } from './steps.ts';

it('after any history, balances, orders, vouchers, stock and reconciliation match the model', {
  timeout: 1_800_000,
}, async () => {
  const property = fc.asyncProperty(histories(scaled(15, 20)), async (history) => {
    expect(await differencesIn(history)).toEqual([]);
  });
  await fc.assert(property, { numRuns: scaled(6, 250) });
});

/** Runs a history on a sandbox and on a model. Returns the differences after the first step that causes any. */
async function differencesIn(history: readonly Step[]): Promise<string[]> {
  const driven = new Driven();
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
