/** Tests the sign-in requirements against correct servers and against servers with one mistake. */
import { expect, it } from 'vitest';
import type { CertifyParts } from '../../sandbox/certification/run-plan.ts';
import type { PartnerSettings } from '../harness/partner/settings.ts';
import { certifyServer, partner } from './judged.ts';
import { startReference } from './reference.ts';
import { words } from './run.ts';

const otp = { only: ['otp'], slow: true };
const ids = Array.from({ length: 19 }, (_, at) => `OTP-${String(at + 1).padStart(2, '0')}`);
/** The expected verdicts. A run with two customers does not test locking. */
const passes = Object.fromEntries(ids.map((id) => [id, id === 'OTP-18' ? 'not_selected' : 'pass']));

/** Certifies a server whose clock advances with the waits of the run. */
async function timed(settings: Partial<PartnerSettings>, input: Parameters<typeof certifyServer>[1] = otp) {
  let at = Date.UTC(2026, 0, 12);
  const delay: CertifyParts['delay'] = async (milliseconds) => {
    at += milliseconds;
  };
  return certifyServer(await partner({ now: () => at, ...settings }), input, { delay });
}

it('the correct server passes, even one that sends five codes in ten minutes and locks after twenty failures', async () => {
  const report = await timed({ mostOtps: 5, lockAfter: 20 });
  expect(report.failures).toEqual([]);
  expect(words(report)).toMatchObject(passes);
});

it('OP-126: the reference client passes twice in a row, with its limits', async () => {
  const certifyReference = await startReference();
  for (const seed of ['1', '2']) {
    const report = await certifyReference({ ...otp, seed });
    expect(report.failures).toEqual([]);
    expect(words(report)).toMatchObject(passes);
  }
});

it('with one customer, requirements that need another are not selected, and all others are checked', async () => {
  const report = await timed({}, { ...otp, customers: ['CUST0001'] });
  expect(words(report)).toMatchObject({ ...passes, 'OTP-07': 'not_selected' });
});

it('OP-126: if a server sends no more codes, the requirements are blocked, not failed', async () => {
  const report = await timed({ mostOtps: 1 }, { ...otp, customers: ['CUST0001'] });
  expect(report.failures).toEqual([]);
  expect(report.outcome).toBe('partial');
  const [one] = report.verdicts.filter(({ verdict, group }) => group === 'otp' && verdict === 'not_selected');
  expect(one?.reason).toMatch(/CUST0001 has reached the limit of codes: 422 Too many OTP requests/);
});

it('a constant code in a test environment is not a fault', async () => {
  const server = await partner({ mistake: 'otp-same' });
  const readCode = async () => '123456';
  const report = await certifyServer(server, { only: ['otp'], otp: { code: '123456' } }, { readCode });
  expect(report.failures).toEqual([]);
  expect(words(report)).toMatchObject({ 'OTP-15': 'not_applicable', 'OTP-09': 'pass', 'OTP-11': 'pass' });
});

it('a failed sign-in blocks the requirements that need a session', async () => {
  const { verdicts } = await timed({ mistake: 'otp-no-token' });
  const blocked = verdicts.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.map(({ id }) => id)).toEqual(['OTP-03', 'OTP-04']);
  expect(new Set(blocked.map(({ blocked_by }) => blocked_by))).toEqual(new Set(['OTP-01']));
});

it.each(['otp-token-other-sub', 'otp-no-points', 'otp-reusable'] as const)(
  'no report contains a token or password of a sign-in: %s',
  async (mistake) => {
    const report = await timed({ mistake });
    expect(report.failures.length).toBe(1);
    expect(JSON.stringify(report.failures)).not.toMatch(/eyJ|partner-password/);
  },
);
