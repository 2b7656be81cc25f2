/** Tests that all mutants match the code, and that the gate kills a sample of them. */
import { describe, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { plan } from './plan.ts';
import { judge, testMutants } from './run.ts';

test('each mutant has a place in the code and a test', () => {
  expect(plan(mutants).complaints).toEqual([]);
});

/** Fast mutants from several parts. The nightly suite tests all of them. */
const sample = [
  ...['ledger-negative', 'memory-before-commit', 'room-without-bound'],
  ...['secret-compared-plainly', 'length-and-chunks', 'one-takes-all-places'],
];

test('each mutant of a sample is killed by its test', { timeout: 600_000 }, async () => {
  const chosen = mutants.filter(({ id }) => sample.includes(id));
  const results = await testMutants(chosen, () => {}, 1);
  const outcomes = new Map([...results].map(([id, { outcome }]) => [id, outcome]));
  expect(outcomes).toEqual(new Map(sample.map((id) => [id, 'killed'])));
});

describe('the verdict on a run', () => {
  const passed = { fullName: 'orders are accepted', status: 'passed', failureMessages: [] };
  const named = { fullName: 'points are deducted once', status: 'passed', failureMessages: [] };
  const failed = { ...named, status: 'failed', failureMessages: ['AssertionError: 2 is not 1'] };
  const late = { ...failed, failureMessages: ['Error: Test timed out in 5000ms.'] };
  const other = { ...failed, fullName: 'points are listed' };
  const broken = { status: 'failed', message: 'a.test.ts: no export', assertionResults: [] };
  const run = (...assertionResults: (typeof failed | typeof passed)[]) => {
    const status = assertionResults.some((result) => result.status === 'failed') ? 'failed' : 'passed';
    return { testResults: [{ status, message: '', assertionResults }] };
  };
  const mutant = { killedBy: 'deducted once' };

  test.each([
    { of: run(passed, failed), outcome: 'killed', names: [failed.fullName] },
    { of: run(passed, failed, other), outcome: 'killed', names: [failed.fullName, other.fullName] },
    { of: run(passed, named), outcome: 'survived', names: [] },
    { of: run(passed, named, other), outcome: 'killed by another test', names: [other.fullName] },
    { of: run(passed, other), outcome: 'crashed', names: ['no test that ran is called "deducted once"'] },
    { of: run(passed, late), outcome: 'timed out', names: [failed.fullName] },
    { of: run(failed, other), outcome: 'crashed', names: [failed.fullName, other.fullName] },
    {
      of: { testResults: [...run(passed, failed).testResults, broken] },
      outcome: 'crashed',
      names: [broken.message, failed.fullName],
    },
    { of: 'time limit expired' as const, outcome: 'timed out', names: [] },
  ])('is $outcome with $names', ({ of, outcome, names }) => {
    expect(judge(mutant, of)).toEqual({ outcome, failed: names });
  });

  test('a hang counts as killed only if the mutant declares it', () => {
    const hanging = { ...mutant, hangs: true as const };
    expect(judge(hanging, 'time limit expired')).toMatchObject({ outcome: 'killed' });
    expect(judge(hanging, run(passed, late))).toMatchObject({ outcome: 'killed' });
  });
});
