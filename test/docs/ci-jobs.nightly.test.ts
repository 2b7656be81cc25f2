/**
 * The CI jobs that README and guide recommend, in a repository with a right server and with a wrong one. Needs bash
 * and curl, as the runners of GitHub have them.
 */
import { expect, it } from 'vitest';
import { jobs, journeys, runJob } from './ci-job.ts';
import type { Mistake } from './own-server.ts';

/** Certifying takes half a minute alone, and several on a busy machine. */
const long = 600_000;

/** Runs all jobs concurrently, since each waits for a token to expire, with a right server or one with a mistake. */
async function runAll(mistake?: Mistake) {
  const each = Object.entries(jobs).map(async ([name, stepsOf]) => [name, await runJob(stepsOf(), mistake)]);
  return Object.fromEntries(await Promise.all(each));
}
/** The same result for every job. */
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
