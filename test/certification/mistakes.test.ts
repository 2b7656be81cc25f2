/** Tests that the table of mistakes is complete, and that sample mistakes fail exactly the requirements it lists. */
import { expect, it } from 'vitest';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import { type MistakeName, mistakeNames } from '../harness/partner/mistakes.ts';
import { expectedFailures, undetectedMistakes, unfailableRequirements } from './caught.ts';
import { certifyServer, failedIds, partner, startWholeRun } from './judged.ts';

const ids = loadRequirements().list.map(({ id }) => id);

it('each mistake fails a requirement, except for some with a reason', () => {
  expect(mistakeNames.filter((mistake) => expectedFailures[mistake].length === 0).toSorted()).toEqual(
    Object.keys(undetectedMistakes).toSorted(),
  );
});

it('each requirement fails for some mistake, except for some with a reason', () => {
  const failing = new Set(Object.values(expectedFailures).flat());
  expect(ids.filter((id) => !failing.has(id))).toEqual(Object.keys(unfailableRequirements));
});

it('the table names existing requirements, each once and in order', () => {
  for (const listed of Object.values(expectedFailures)) expect(listed).toEqual(ids.filter((id) => listed.includes(id)));
});

/** Requirements with many dependents, plus one from each group. */
const neighbours = ['SHP-01', 'CRD-01', 'DED-01', 'STA-01', 'OTP-01', 'V2-01', 'V2-02', 'V2-03', 'TOK-02', 'BAS-01'];
const more = ['SHP-09', 'CRD-02', 'DED-02', 'STA-02', 'OTP-05', 'V2-11', 'ROB-02', 'JRN-02'];

/** Twenty-five mistakes from all areas. The nightly suite runs every mistake against every requirement. */
const sample = `
  expired-token any-token alg-none any-password no-basic error-name error-no-data balance-text pan-missing
  credit-twice credit-lost-reply credit-malformed deduct-twice deduct-nothing overdraw-parallel
  deduct-on-refusal missing-scheme no-reversal reversal-redeem-points rejected-after-delivered no-tombstone
  otp-any-customer v2-reverse-twice slow head-reset`
  .trim()
  .split(/\s+/) as MistakeName[];

it.each(sample)('the mistake %s fails the requirements about it, and none of the others', async (mistake) => {
  const report = await certifyServer(await partner({ mistake, raceMs: 60 }), {
    timeout_ms: mistake === 'slow' ? 500 : 10_000,
    only: [...expectedFailures[mistake], ...neighbours, ...more],
  });
  expect(failedIds(report)).toEqual(expectedFailures[mistake]);
  expect(report.counts.suite_error).toBe(0);
});

it('a server that refuses its own service token leads to an environment error, not to failures', async () => {
  const { run } = await startWholeRun({ mistake: 'no-service-token-for-profile' });
  const report = await run();
  expect([report.outcome, report.failures, report.calls]).toEqual(['environment', [], 1]);
  expect(report.problem).toBe(
    'The server refuses CUST0001: 422 Token Invalid. Check the customer ID and the service token.',
  );
});
