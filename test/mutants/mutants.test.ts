/** Tests that all mutants match the code, and that the gate kills a sample of them. */
import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { plan } from './plan.ts';
import { testMutants } from './run.ts';

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
