/** Guesses at one-time passwords: a code that always works, and a customer whom nobody locks. */
import { expect, it } from 'vitest';
import { failed, judged, partner } from './judged.ts';

const customers = ['CUST0001', 'CUST0002', 'CUST0003'];
const only = ['OTP-01', 'OTP-11', 'OTP-18', 'OTP-19'];
const verdictsOf = (report: Awaited<ReturnType<typeof judged>>) =>
  Object.fromEntries(report.verdicts.filter(({ id }) => only.includes(id)).map(({ id, verdict }) => [id, verdict]));
const passes = Object.fromEntries(only.map((id) => [id, 'pass']));

it('OP-18: a server that locks a customer after twenty failures passes, at a second run too', async () => {
  const server = await partner({ lockAfter: 20, mostOtps: 5 });
  expect(verdictsOf(await judged(server, { customers, only }))).toEqual(passes);
  const again = await judged(server, { customers, only, seed: '2' });
  expect(verdictsOf(again)).toEqual({ ...passes, 'OTP-18': 'not_selected' });
  expect(again.verdicts.find(({ id }) => id === 'OTP-18')?.reason).toMatch(
    /^No code was sent to CUST0003: 422 .* An earlier run may have locked this customer\.$/,
  );
});

it('OP-18: a server that locks nobody fails, and one that locks earlier passes', async () => {
  const never = await judged(await partner({ lockAfter: 1000 }), { customers, only });
  expect(failed(never)).toEqual(['OTP-18']);
  expect(never.failures[0]?.message).toBe('CUST0003 can sign in after 20 consecutive failures.');
  expect(verdictsOf(await judged(await partner({ lockAfter: 12 }), { customers, only }))).toEqual(passes);
});

it('D5: a code that always works is found, unless it is the one that was given', async () => {
  const server = await partner({ mistake: 'otp-master-code' });
  const report = await judged(server, { only });
  expect(failed(report)).toEqual(['OTP-19']);
  expect(report.failures[0]?.message).toBe('A sign-in with 000000 succeeds, although another code was sent.');
  const given = await judged(server, { only, otp: { code: '000000' } }, { readCode: async () => '000000' });
  expect(failed(given)).toEqual([]);
});

it('with two customers nobody is locked, and the recommended requirement names the option', async () => {
  const report = await judged(await partner(), { only });
  expect(report.verdicts.find(({ id }) => id === 'OTP-18')).toMatchObject({
    verdict: 'not_selected',
    option: '--customer UID',
  });
});
