/** Tests that all mutants match the code, and that the gate kills a sample of them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { plan } from './plan.ts';
import { type Tested, testMutants } from './run.ts';
import { judge, type TestResult, type TestRun } from './verdict.ts';

test('each mutant has a place in the code and a test', () => {
  expect(plan(mutants).complaints).toEqual([]);
});

/** Fast mutants from several parts. The nightly suite tests all of them. */
const sample = [
  ...['ledger-negative', 'memory-before-commit', 'room-without-bound'],
  ...['secret-compared-plainly', 'length-and-chunks', 'one-takes-all-places'],
];

describe('of a sample of mutants', () => {
  const results = new Map<string, Tested>();
  beforeAll(async () => {
    const report = (tested: Tested) => results.set(tested.mutant.id, tested);
    const chosen = mutants.filter(({ id }) => sample.includes(id));
    await testMutants(chosen, { workers: 1, report });
  }, 600_000);

  test.each(sample)('%s is killed by its test', (id) => {
    expect(results.get(id)).toMatchObject({ outcome: 'killed' });
  });
});

describe('the verdict on a run', () => {
  const passed = { title: 'orders are accepted', passed: true, late: false };
  const failed = { title: 'points are deducted once', passed: false, late: false };
  const other = { title: 'points are listed', passed: false, late: false };
  const run = (...tests: TestResult[]): TestRun => ({ ended: 'by itself', tests, broken: [] });
  const mutant = { killedBy: 'deducted once' };

  test.each([
    { of: run(passed, failed), outcome: 'killed', names: [failed.title] },
    { of: run(passed, failed, other), outcome: 'killed', names: [failed.title, other.title] },
    { of: run(passed, { ...failed, passed: true }), outcome: 'survived', names: [] },
    { of: run(passed, { ...failed, passed: true }, other), outcome: 'killed by another test', names: [other.title] },
    { of: run(passed, other), outcome: 'crashed', names: ['no test that ran is called "deducted once"'] },
    { of: run(passed, { ...failed, late: true }), outcome: 'timed out', names: [failed.title] },
    { of: run(failed, other), outcome: 'crashed', names: [failed.title, other.title] },
    {
      of: { ...run(passed, failed), broken: ['a.test.ts: no export'] },
      outcome: 'crashed',
      names: ['a.test.ts: no export', failed.title],
    },
    { of: { ended: 'timed out' }, outcome: 'timed out', names: [] },
  ] as const)('is $outcome with $names', ({ of, outcome, names }) => {
    expect(judge(mutant, of)).toEqual({ outcome, failed: names });
  });

  test('a hang counts as killed only if the mutant declares it', () => {
    const hanging = { ...mutant, hangs: true as const };
    expect(judge(hanging, { ended: 'timed out' })).toMatchObject({ outcome: 'killed' });
    expect(judge(hanging, run(passed, { ...failed, late: true }))).toMatchObject({ outcome: 'killed' });
  });
});
