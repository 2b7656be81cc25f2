/** Tests that each cause is one report entry that lists its effects, and that a passed requirement never blocks others. */
import { expect, it } from 'vitest';
import { explainedBy, findCauses, prerequisites } from '../../sandbox/certification/causes.ts';
import { reportText } from '../../sandbox/certification/report-text.ts';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import type { Report } from '../../sandbox/certification/verdict.ts';
import type { MistakeName } from '../harness/partner/mistakes.ts';
import { failed, reported } from '../harness/reported.ts';
import { expectedFailures } from './caught.ts';
import { certifyServer, partner, verdicts } from './judged.ts';

const ids = loadRequirements().list.map(({ id }) => id);
const basic = ['SHP-01', 'SHP-03', 'CRD-01', 'DED-01', 'STA-01', 'OTP-01', 'V2-02', 'V2-03'];

async function report(mistake: MistakeName, ...more: readonly string[]): Promise<Report> {
  return certifyServer(await partner({ mistake }), { only: [...expectedFailures[mistake], ...basic, ...more] });
}

it('links between requirements name existing requirements, and form no cycle', () => {
  for (const links of [prerequisites, explainedBy]) {
    const named = [...Object.keys(links), ...Object.values(links).flat()];
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    const reaches = (from: string, to: string): boolean =>
      (links[from] ?? []).some((next) => next === to || reaches(next, to));
    expect(ids.filter((id) => reaches(id, id))).toEqual([]);
  }
});

it.each([
  ['any-token', 'TOK-03', expectedFailures['any-token'].filter((id) => id !== 'TOK-03')],
  ['no-token', 'TOK-02', ['TOK-10', 'TOK-12', 'TOK-17', 'TOK-21', 'TOK-25', 'TOK-29']],
  ['expired-token', 'TOK-07', ['TOK-14', 'TOK-28']],
  ['token-401', 'TOK-01', ['TOK-19']],
  ['jwt-refused', 'TOK-09', ['TOK-16', 'TOK-24', 'OTP-04']],
  ['otp-token-opaque', 'OTP-03', ['TOK-09', 'TOK-16', 'TOK-24', 'OTP-04']],
  ['any-password', 'BAS-02', ['BAS-06']],
  ['error-name', 'SHP-09', ['SHP-10', 'SHP-11', 'SHP-13', 'SHP-20', 'SHP-24']],
  ['error-no-data', 'SHP-09', expectedFailures['error-no-data'].filter((id) => id !== 'SHP-09')],
  ['credit-twice', 'CRD-02', ['CRD-03', 'CRD-05', 'JRN-07']],
  ['credit-other-values-booked', 'CRD-04', ['CRD-07', 'CRD-08', 'CRD-09']],
  ['deduct-twice', 'DED-02', ['DED-03', 'DED-05', 'JRN-03', 'JRN-04', 'JRN-05', 'JRN-14']],
  ['overdraw', 'DED-09', ['DED-08']],
  ['reversal-twice', 'STA-02', ['STA-04', 'STA-05', 'JRN-04', 'JRN-06', 'JRN-14']],
  ['otp-no-token', 'SHP-22', ['OTP-01']],
  ['otp-no-reference', 'OTP-01', ['SHP-21']],
  ['v2-redeem-twice', 'V2-04', ['V2-05', 'V2-06', 'JRN-13']],
  ['v2-balance-text', 'SHP-18', ['SHP-19']],
] as const)('the failures of a server with the mistake %s are one entry, %s', async (mistake, first, breaks) => {
  const { failures } = await report(mistake);
  expect(failures.map((failure) => [failure.requirement, failure.breaks.toSorted()])).toEqual([
    [first, breaks.toSorted()],
  ]);
});

it.each([
  ['balance-text', 'JRN-01', 'SHP-03'],
  ['v2-no-reverse', 'JRN-13', 'V2-03'],
  ['no-reversal', 'JRN-02', 'STA-01'],
  ['credit-nothing', 'JRN-07', 'CRD-01'],
  ['basic-refused', 'OTP-02', 'BAS-05'],
  ['balance-null', 'CRD-02', 'SHP-01'],
  ['jwt-refused', 'JRN-11', 'TOK-09'],
] as const)('with the mistake %s, %s is blocked by %s, which failed', async (mistake, id, by) => {
  const { verdicts: all, failures } = await report(mistake, id, by);
  const dependent = all.find((verdict) => verdict.id === id);
  expect([dependent?.verdict, dependent?.blocked_by]).toEqual(['blocked', by]);
  expect(failures[0]?.requirement).toBe(by);
});

/** Finds the causes in a run in which these requirements fail. */
function causesOf(...failing: readonly string[]) {
  const { verdicts } = reported(Object.fromEntries(failing.map((id) => [id, 'fail'])));
  const seen = { message: '', pointer: '/balance', expected: '', actual: '', answers: [] };
  const failures = new Map(failing.map((id) => [id, { seen, failure: failed(id) }]));
  const found = findCauses({ verdicts, failures, needed: new Map() });
  return { found, entries: found.failures.map(({ requirement, breaks }) => [requirement, breaks]) };
}

it('requirements that depend on a failed deduction are blocked, even if their own probes failed too', () => {
  const { found, entries } = causesOf('V2-03', 'V2-15', 'JRN-13');
  expect(entries).toEqual([['V2-03', []]]);
  const blocked = found.verdicts.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.map(({ id, blocked_by }) => `${id} by ${blocked_by}`)).toEqual(['V2-15 by V2-03', 'JRN-13 by V2-03']);
});

it('a ledger mistake that is visible in both versions is one entry', () => {
  const { entries } = causesOf('DED-03', 'DED-08', 'STA-11', 'V2-05', 'V2-07', 'V2-15');
  expect(entries).toEqual([
    ['DED-08', ['DED-03', 'V2-05', 'V2-07']],
    ['STA-11', ['V2-15']],
  ]);
});

it('if the failed requirement is not selected, its dependents are not blocked by one that passed', async () => {
  const server = await partner({ mistake: 'balance-text' });
  const onlyJourney = await certifyServer(server, { only: ['SHP-01', 'JRN-01'] });
  expect(verdicts(onlyJourney, 'shapes')['SHP-01']).toBe('pass');
  const blocked = onlyJourney.verdicts.find(({ id }) => id === 'JRN-01');
  expect(blocked).toMatchObject({ verdict: 'blocked', blocked_by: 'SHP-03' });
});

it('the fix follows from the finding', async () => {
  const changes = async (mistake: MistakeName) => (await report(mistake)).failures.map(({ change }) => change);
  expect(await changes('balance-text')).toEqual([
    'Change `points.balance` of the body: it must be an integer, but is "25000".',
  ]);
  expect(await changes('otp-no-expiry')).toEqual(['Add `expires_in` of the body.']);
  expect(await changes('done-empty')).toEqual(['Add `success`, `status` to the body.']);
  expect((await changes('pending-capitalised'))[0]).toBe(
    'Accept this request. It has every field of the contract: uid, scheme, redeemCode, redeemPoints, shippingAddress, processingFee, productCode, productName, quantity, redeemStatus, email, mobileNo, totalpoints, totalPointWithProcessingFee, tdsSingleItem. Your server returned 422 Please enter the mandatory details to proceed further.',
  );
  expect(await changes('error-200')).toEqual(['Send refusals with an HTTP error status, such as 422.']);
});

it('an entry of the text report lists what its cause breaks and blocks, with one curl', async () => {
  const noReversal = await report('no-reversal', 'JRN-02', 'STA-12');
  const text = reportText(noReversal, { colour: false, width: 200, docs: 'http://localhost:4010/docs' });
  expect(text).toMatch(/^FAIL STA-01 .* \(mandatory\)$/m);
  expect(text).toContain('  Blocks: STA-12, JRN-02\n');
  expect(text.match(/^ {2}curl /gm)).toHaveLength(1);
  const twice = reportText(await report('credit-twice'), { colour: false, width: 200, docs: '' });
  expect(twice).toContain('  Also fails: CRD-03, CRD-05, JRN-07\n');
});
