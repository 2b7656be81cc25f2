/**
 * Certifies servers with one mistake each, using only the options that the guide recommends to newcomers. No server
 * passes, the first report entry is the cause, and the report blames no passed requirement.
 */
import { expect, it } from 'vitest';
import { conclude } from '../../sandbox/certification/report.ts';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { readRunOptions } from '../../sandbox/cli/certify-input.ts';
import { endingOf } from '../../sandbox/cli/certify-output.ts';
import type { MistakeName } from '../harness/partner/mistakes.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { idsWithVerdict, startWholeRun } from './judged.ts';

/**
 * Runs a certification with these flags against a server whose tokens expire after a minute. Returns the report and the
 * end of the output.
 */
async function byDefault(mistake?: MistakeName) {
  const { origin } = await testSandbox();
  const { server, run } = await startWholeRun({ mistake, tokenSeconds: 60 });
  const { serviceToken, basic, now } = server.settings;
  const { input, weight, allowPartial, baseline } = readRunOptions({
    clientUrl: server.url,
    serviceToken,
    basic: `${basic.username}:${basic.password}`,
    customer: ['CUST0001', 'CUST0002'],
    otpUrl: `${server.url}/test/otp?reference_id={reference_id}`,
    sandbox: origin,
  });
  const nothing = { api: undefined, expired_token: undefined, timeout_ms: undefined, slow: undefined };
  const report = await run({ ...(nothing as object), ...input }, { now });
  return { report, ending: endingOf(report, conclude(report, weight, baseline), allowPartial) };
}

/** Returns the passed requirements that the report lists as broken or as blocking others. */
function wronglyBlamed(report: Report): readonly string[] {
  const passed = new Set(idsWithVerdict(report, 'pass'));
  const entries = report.failures.flatMap(({ requirement, breaks }) => [requirement, ...breaks]);
  const blamed = report.verdicts.flatMap(({ blocked_by }) => blocked_by ?? []);
  return [...entries, ...blamed].filter((id) => passed.has(id));
}

it('the correct server passes completely, and the run is not partial', async () => {
  const { report, ending } = await byDefault();
  expect([report.outcome, report.failures]).toEqual(['passed', []]);
  expect(ending).toEqual({ code: 0, text: 'All applicable mandatory requirements passed.' });
});

it.each<[MistakeName, requirement: string, cause: string]>([
  ['any-token', 'TOK-03', 'A profile request with an unissued token was not refused: 200.'],
  ['no-token', 'TOK-02', 'A profile request with no token was not refused: 200.'],
  ['expired-token', 'TOK-07', 'A profile request with an expired JWT was not refused: 200.'],
  ['alg-none', 'TOK-06', 'A profile request with an unsigned JWT with `alg` none was not refused: 200.'],
  ['other-customers-token', 'TOK-08', "A profile request with another customer's JWT was not refused: 200."],
  ['token-401', 'TOK-01', 'was not refused with 422: 401 Token Invalid.'],
  ['jwt-refused', 'TOK-09', "A profile request with the customer's own JWT failed: 422 Token Invalid."],
  ['any-password', 'BAS-02', 'generate-otp with a wrong password was not refused: 200.'],
  ['basic-refused', 'BAS-05', 'The right credentials are refused like wrong ones: 401'],
  ['error-name', 'SHP-09', '/body/data/name must be "Unprocessable entity", but is "Unprocessable Entity".'],
  ['error-html', 'SHP-09', '/body must be JSON, but is a body of 50 characters that is not JSON.'],
  ['error-200', 'TOK-01', 'Send refusals with an HTTP error status, such as 422.'],
  ['balance-text', 'SHP-03', '/body/points/balance must be an integer, but is "25000".'],
  ['balance-null', 'SHP-01', 'The profile response has no balance.'],
  ['profile-missing', 'SHP-01', 'The profile response has no `profile`.'],
  ['dob-iso', 'SHP-05', 'The date of birth is not day/month/year.'],
  ['credit-nothing', 'CRD-01', 'After a credit of 7 points, the balance is '],
  ['credit-twice', 'CRD-02', 'After the same credit twice, the balance is '],
  ['deduct-nothing', 'DED-01', 'After a deduction of 60 points, including a fee of 49, the balance is '],
  ['deduct-redeem-points', 'DED-01', 'Deduct `totalPointWithProcessingFee`, not `redeemPoints`'],
  ['pending-capitalised', 'DED-01', 'Accept this request. It has every field of the contract: '],
  ['deduct-twice', 'DED-02', 'After the same deduction twice, the balance is '],
  ['overdraw-parallel', 'DED-08', 'Fifty concurrent deductions of 2500 points leave -'],
  ['overdraw', 'DED-09', 'A deduction of 25001 points with a balance of 25000 was not refused: 200.'],
  ['no-reversal', 'STA-01', 'After Rejected for 60 points, including a fee of 49, the balance is '],
  [
    'reversal-redeem-points',
    'STA-01',
    'On `Rejected`, add the deducted `totalPointWithProcessingFee` back to the balance',
  ],
  ['reversal-twice', 'STA-02', 'After a second Rejected, the balance is '],
  ['delivered-gives-back', 'STA-06', 'After Delivered, the balance is '],
  ['otp-token-opaque', 'OTP-03', 'The token of the sign-in is not a JWT.'],
  ['otp-any-code', 'OTP-06', 'A wrong code was not refused: 200.'],
  ['otp-in-reply', 'OTP-10', 'The response contains the code.'],
  ['otp-master-code', 'OTP-19', 'A sign-in with 000000 succeeds, although another code was sent.'],
  ['otp-no-token', 'SHP-22', 'A sign-in returns no `token`.'],
  ['v2-no-reverse', 'V2-03', 'The balance changed by 0 instead of 40 points.'],
  ['v2-redeem-twice', 'V2-04', 'The balance changed by -80 instead of -40 points.'],
])('a server with the mistake %s ends with 1, and %s is the first entry: %s', async (mistake, first, cause) => {
  const { report, ending } = await byDefault(mistake);
  const [entry] = report.failures;
  expect([ending.code, entry?.requirement, `${entry?.message} ${entry?.change}`]).toEqual([
    1,
    first,
    expect.stringContaining(cause),
  ]);
  expect(wronglyBlamed(report)).toEqual([]);
  expect(report.verdicts.filter((of) => of.verdict === 'blocked' && of.blocked_by === null)).toEqual([]);
  expect(report.counts.suite_error).toBe(0);
});

it('a server with the mistake no-tombstone ends with 0, because STA-11 is recommended, and is still the first entry', async () => {
  const { report, ending } = await byDefault('no-tombstone');
  const [entry] = report.failures;
  expect([ending.code, entry?.requirement, entry?.message]).toEqual([
    0,
    'STA-11',
    'A deduction that arrives after its rejection was not refused: 200.',
  ]);
});
