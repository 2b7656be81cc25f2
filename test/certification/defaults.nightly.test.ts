/** Servers with one mistake each, judged with defaults and a sandbox beside: none is green, and the first entry is the cause. */
import { expect, it } from 'vitest';
import { endingOf } from '../../sandbox/cli/certify-exit.ts';
import { concluded } from '../../sandbox/conformance/certification/baseline.ts';
import type { Report } from '../../sandbox/conformance/certification/verdict.ts';
import type { MistakeName } from '../harness/partner/mistakes.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { having, wholly } from './judged.ts';

/** What a run with defaults comes to: versions are found out, and a token expires after a minute of the server's time. */
async function byDefault(mistake?: MistakeName): Promise<Report> {
  const { origin, workspace } = await testSandbox();
  const { server, run } = await wholly({ mistake, tokenSeconds: 60 });
  const sandbox = { url: origin, admin_token: workspace.admin_token };
  const left = { api: undefined, expired_token: undefined } as unknown as Parameters<typeof run>[0];
  return run({ ...left, slow: false, sandbox }, { now: server.settings.now });
}

const ended = (report: Report) => endingOf(report, concluded(report, 'must', []));

it('the right server is fully green, and not partial', async () => {
  const report = await byDefault();
  expect(report.failures).toEqual([]);
  expect(ended(report)).toEqual({
    code: 0,
    text: 'Every mandatory requirement that applies was judged and holds.',
  });
});

it.each([
  ['any-token', 'TOK-03'],
  ['no-token', 'TOK-02'],
  ['expired-token', 'TOK-07'],
  ['alg-none', 'TOK-06'],
  ['other-customers-token', 'TOK-08'],
  ['token-401', 'TOK-01'],
  ['jwt-refused', 'TOK-09'],
  ['any-password', 'BAS-02'],
  ['error-name', 'SHP-09'],
  ['error-200', 'TOK-01'],
  ['balance-text', 'SHP-03'],
  ['balance-null', 'SHP-01'],
  ['dob-iso', 'SHP-05'],
  ['credit-twice', 'CRD-02'],
  ['credit-nothing', 'CRD-01'],
  ['deduct-twice', 'DED-02'],
  ['deduct-nothing', 'DED-01'],
  ['overdraw', 'DED-09'],
  ['pending-capitalised', 'DED-01'],
  ['no-reversal', 'STA-01'],
  ['reversal-redeem-points', 'STA-01'],
  ['reversal-twice', 'STA-02'],
  ['no-tombstone', 'STA-11'],
  ['otp-in-reply', 'OTP-10'],
  ['otp-master-code', 'OTP-19'],
  ['otp-no-token', 'SHP-22'],
  ['v2-no-reverse', 'V2-03'],
  ['v2-redeem-twice', 'V2-04'],
] as const)('a server with the mistake %s ends with 1, and %s is the first entry', async (mistake, first) => {
  const report = await byDefault(mistake);
  expect([ended(report).code, report.failures[0]?.requirement]).toEqual([1, first]);
  const passed = new Set(having(report, 'pass'));
  const blamed = report.verdicts.flatMap(({ blocked_by }) => blocked_by ?? []);
  expect(blamed.filter((id) => passed.has(id))).toEqual([]);
  expect(report.verdicts.filter((of) => of.verdict === 'blocked' && of.blocked_by === null)).toEqual([]);
  expect(report.counts.suite_error).toBe(0);
});
