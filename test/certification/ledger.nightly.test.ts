/** Credits, deductions and status reports: right servers hold all requirements, and each mistake fails those about it. */
import { expect, it } from 'vitest';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { caughtIn } from './caught/caught.ts';
import { failed, judged, partner } from './judged.ts';
import { certified, words } from './run.ts';

const only = ['credit', 'deduction', 'status'];

/** The verdicts that are no pass, by requirement. */
function notPassed(report: Report): Record<string, string> {
  const chosen = Object.entries(words(report)).filter(([id]) => /^(CRD|DED|STA)-/.test(id));
  return Object.fromEntries(chosen.filter(([, word]) => word !== 'pass'));
}

it('a right server holds every requirement about credits, deductions and status reports, and its books are even', async () => {
  const report = await judged(await partner(), { only });
  expect(report.failures).toEqual([]);
  expect(notPassed(report)).toEqual({ 'STA-23': 'not_applicable' });
  expect(report.books).toBe('even');
});

it('the reference client holds them too, in another order', async () => {
  const { origin, credentials } = await testSandbox();
  const { service_token } = credentials;
  const customers = ['CUST0001', 'CUST0002'];
  const report = await certified({ client_url: `${origin}/client`, service_token, customers, only, seed: '2' });
  expect(report.failures).toEqual([]);
  expect(notPassed(report)).toEqual({ 'DED-12': 'not_selected', 'STA-23': 'not_applicable' });
  expect(report.books).toBe('even');
});

it.each(caughtIn('CRD', 'DED', 'STA'))('the mistake %s fails the requirements about it', async (mistake, listed) => {
  const server = await partner({ mistake, raceMs: 60 });
  expect(failed(await judged(server, { only: [...listed] }))).toEqual(listed);
});

it('an answer that is too late blocks, and fails nothing about the ledger', async () => {
  const report = await judged(await partner({ mistake: 'slow' }), { only: ['deduction', 'status'], timeout_ms: 300 });
  expect(failed(report)).toEqual([]);
  expect(notPassed(report)).toMatchObject({ 'DED-01': 'blocked', 'DED-08': 'blocked', 'STA-01': 'blocked' });
});

it('OP-181: other values under a redeemCode that was used are refused, and a server that takes them is told so', async () => {
  const only = ['DED-06'];
  expect(words(await judged(await partner(), { only }))).toMatchObject({ 'DED-06': 'pass' });
  const { failures } = await judged(await partner({ mistake: 'deduct-other-values' }), { only });
  expect(failures).toMatchObject([
    {
      requirement: 'DED-06',
      message: 'Another number of points with the same redeemCode was not refused: 200.',
      pointer: '/status',
      statement: 'OP-181',
      docs: 'open-points#op-181',
      again: '--only DED-06',
    },
  ]);
});
