/** The table of mistakes: it leaves none out, and some of each area are caught by what it says and by nothing beside it. */
import { expect, it } from 'vitest';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import { mistakeNames } from '../harness/partner/mistakes.ts';
import { caught, uncaught, unfailed } from './caught/caught.ts';
import { failed, judged, partner, wholly } from './judged.ts';

const ids = loadRequirements().list.map(({ id }) => id);

it('each mistake fails a requirement, but for some that have a reason', () => {
  expect(mistakeNames.filter((mistake) => caught[mistake].length === 0).toSorted()).toEqual(
    Object.keys(uncaught).toSorted(),
  );
});

it('each requirement is failed by a mistake, but for some that have a reason', () => {
  const seen = new Set(Object.values(caught).flat());
  expect(ids.filter((id) => !seen.has(id))).toEqual(Object.keys(unfailed));
});

it('the table names requirements that there are, each once and in their order', () => {
  for (const listed of Object.values(caught)) expect(listed).toEqual(ids.filter((id) => listed.includes(id)));
});

/** Requirements that many others hang on, and one of each group. */
const neighbours = ['SHP-01', 'CRD-01', 'DED-01', 'STA-01', 'OTP-01', 'V2-01', 'V2-02', 'V2-03', 'TOK-02', 'BAS-01'];
const more = ['SHP-09', 'CRD-02', 'DED-02', 'STA-02', 'OTP-05', 'V2-11', 'ROB-02', 'JRN-02'];

/** Twenty-five of them, from every area; the nightly suite runs them all, each against every requirement. */
it.each([
  'expired-token',
  'any-token',
  'alg-none',
  'any-password',
  'no-basic',
  'error-name',
  'error-no-data',
  'balance-text',
  'pan-missing',
  'credit-twice',
  'credit-lost-reply',
  'credit-malformed',
  'deduct-twice',
  'deduct-nothing',
  'overdraw-parallel',
  'deduct-on-refusal',
  'missing-scheme',
  'no-reversal',
  'reversal-redeem-points',
  'rejected-after-delivered',
  'no-tombstone',
  'otp-any-customer',
  'v2-reverse-twice',
  'slow',
  'head-reset',
] as const)('the mistake %s fails the requirements about it, and none of those beside them', async (mistake) => {
  const report = await judged(await partner({ mistake, raceMs: 60 }), {
    timeout_ms: mistake === 'slow' ? 500 : 10_000,
    only: [...caught[mistake], ...neighbours, ...more],
  });
  expect(failed(report)).toEqual(caught[mistake]);
  expect(report.counts.suite_error).toBe(0);
});

it('a server that refuses its own service token is a matter of the environment, and nothing is held against it', async () => {
  const { run } = await wholly({ mistake: 'no-service-token-for-profile' });
  const report = await run();
  expect([report.outcome, report.failures, report.calls]).toEqual(['environment', [], 1]);
  expect(report.problem).toBe(
    'The server refuses CUST0001: 422 Token Invalid. Check the customer ID and the service token.',
  );
});
