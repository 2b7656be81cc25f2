/** Tests detection of servers that accept a fixed one-time password or never lock a customer after wrong guesses. */
import { expect, it } from 'vitest';
import { Checker } from '../../sandbox/conformance/checker.ts';
import { ownContracts } from '../../sandbox/conformance/contracts.ts';
import { certifyServer, failedIds, partner } from './judged.ts';

const customers = ['CUST0001', 'CUST0002', 'CUST0003'];
const only = ['OTP-01', 'OTP-11', 'OTP-18', 'OTP-19'];
const verdictsOf = (report: Awaited<ReturnType<typeof certifyServer>>) =>
  Object.fromEntries(report.verdicts.filter(({ id }) => only.includes(id)).map(({ id, verdict }) => [id, verdict]));
const passes = Object.fromEntries(only.map((id) => [id, 'pass']));

it('OP-18: a server that locks a customer after twenty failures passes, even in a second run', async () => {
  const server = await partner({ lockAfter: 20, mostOtps: 5 });
  expect(verdictsOf(await certifyServer(server, { customers, only }))).toEqual(passes);
  const again = await certifyServer(server, { customers, only, seed: '2' });
  expect(verdictsOf(again)).toEqual({ ...passes, 'OTP-18': 'not_selected' });
  expect(again.verdicts.find(({ id }) => id === 'OTP-18')?.reason).toMatch(
    /^No code was sent to CUST0003: 422 .* An earlier run may have locked this customer\.$/,
  );
});

it('OP-18: a server that locks nobody fails, and one that locks earlier passes', async () => {
  const never = await certifyServer(await partner({ lockAfter: 1000 }), { customers, only });
  expect(failedIds(never)).toEqual(['OTP-18']);
  expect(never.failures[0]?.message).toBe('CUST0003 can sign in after 20 consecutive failures.');
  expect(verdictsOf(await certifyServer(await partner({ lockAfter: 12 }), { customers, only }))).toEqual(passes);
});

it('OP-264: with settled attempts, a server that allows more fails', async () => {
  const server = await partner();
  const run = async (otp_tries: number) => {
    const settled = { answer: 'settled', by: 'Jane Doe', date: '2026-11-28', value: { otp_tries } } as const;
    const answers = { answers: { 'OP-18': settled } };
    const checker = new Checker(ownContracts(), { answers });
    const report = await certifyServer(server, { only: ['OTP-01', 'OTP-11'], answers }, { checker });
    const { level, verdict } = report.verdicts.find(({ id }) => id === 'OTP-11') ?? {};
    return [level, verdict];
  };
  expect(await run(5)).toEqual(['must', 'pass']);
  expect(await run(3)).toEqual(['must', 'fail']);
});

it('D5: a code that always works is detected, unless it is the configured code', async () => {
  const server = await partner({ mistake: 'otp-master-code' });
  const report = await certifyServer(server, { only });
  expect(failedIds(report)).toEqual(['OTP-19']);
  expect(report.failures[0]?.message).toBe('A sign-in with 000000 succeeds, although another code was sent.');
  const given = await certifyServer(server, { only, otp: { code: '000000' } }, { readCode: async () => '000000' });
  expect(failedIds(given)).toEqual([]);
});

it('with two customers no lock is tested, and the recommended requirement names the option', async () => {
  const report = await certifyServer(await partner(), { only });
  const lock = report.verdicts.find(({ id }) => id === 'OTP-18');
  expect(lock).toMatchObject({ verdict: 'not_selected', option: '--customer UID' });
});
