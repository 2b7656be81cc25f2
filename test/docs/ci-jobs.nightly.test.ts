/**
 * Runs the CI jobs that the README and the guide recommend, with a correct and an incorrect server. The tests need bash and curl, which
 * GitHub's runners have.
 */
import { expect, it } from 'vitest';
import { jobs, journeys, runJob } from './ci-job.ts';
import type { Mistake } from './own-server.ts';

/** A certification takes half a minute on its own, and several minutes on a busy machine. */
const long = 600_000;

/** Runs all jobs concurrently, because each waits for a token to expire. The server is correct or has one mistake. */
async function runAll(mistake?: Mistake) {
  const each = Object.entries(jobs).map(async ([name, stepsOf]) => [name, await runJob(stepsOf(), mistake)]);
  return Object.fromEntries(await Promise.all(each));
}
/** Expects the same result for every job. */
const eachJob = (result: object) => Object.fromEntries(Object.keys(jobs).map((name) => [name, result]));

it('every job passes with a right server', { timeout: long }, async () => {
  const output = expect.stringContaining('All applicable mandatory requirements passed.');
  expect(await runAll()).toEqual(eachJob({ code: 0, step: expect.any(String), output }));
});

it.each<[mistake: Mistake, step: RegExp, output: RegExp]>([
  ['credits twice on a repeat', /verdict|sandbox\.sh check/, /"mistake": ?"credited_twice"/],
  ['deducts beyond the balance', /verdict|certify/, /^\d+ failed, \d+ causes? /m],
])('every job fails with a server that %s', { timeout: long }, async (mistake, step, output) => {
  expect(await runAll(mistake)).toEqual(
    eachJob({
      code: expect.toSatisfy((code) => code !== 0),
      step: expect.stringMatching(step),
      output: expect.stringMatching(output),
    }),
  );
});

it('findings judge messages: a balance as text fails the job there', { timeout: long }, async () => {
  const { code, step, output } = await runJob(jobs.README?.() ?? [], 'writes the balance as text');
  expect({ code, step }).toEqual({ code: 1, step: expect.stringContaining('verdict') });
  expect(output).toMatch(/^Verdict: failed \(.*messages/m);
});

it('a job whose tests never reach the sandbox fails', { timeout: long }, async () => {
  const steps = (jobs.README?.() ?? []).filter((step) => !step.includes('integrationTest'));
  const { code, output } = await runJob(steps);
  expect(code).toBe(1);
  expect(output).toContain('Calls: 0 in 0 workspaces.');
  expect(output).toContain('Verdict: failed (calls).');
});

it.each(journeys)(
  'the journeys of the job for %s pass, and so do their calls',
  { timeout: long },
  async (_, stepsOf) => {
    const { code, output } = await runJob(stepsOf());
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/\nClean: \d+ exchanges checked\./) });
  },
);
