/** Credits, deductions and status reports: correct servers meet all requirements, and each mistake fails the matching ones. */
import { expect, it } from 'vitest';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { certifyServer, failedIds, partner } from './judged.ts';
import { runCertification, words } from './run.ts';

const only = ['credit', 'deduction', 'status'];

/** The verdicts other than pass, by requirement. */
function notPassed(report: Report): Record<string, string> {
  const chosen = Object.entries(words(report)).filter(([id]) => /^(CRD|DED|STA)-/.test(id));
  return Object.fromEntries(chosen.filter(([, word]) => word !== 'pass'));
}

it('a correct server meets every requirement about credits, deductions and status reports, and its ledger is even', async () => {
  const report = await certifyServer(await partner(), { only });
  expect(report.failures).toEqual([]);
  expect(notPassed(report)).toEqual({ 'STA-23': 'not_applicable' });
  expect(report.balances).toBe('restored');
});

it('the reference client meets them too, in another order', async () => {
  const { origin, credentials } = await testSandbox();
  const { service_token } = credentials;
  const customers = ['CUST0001', 'CUST0002'];
  const report = await runCertification({ client_url: `${origin}/client`, service_token, customers, only, seed: '2' });
  expect(report.failures).toEqual([]);
  expect(notPassed(report)).toEqual({ 'DED-12': 'not_selected', 'STA-23': 'not_applicable' });
  expect(report.balances).toBe('restored');
});

it('a late answer blocks requirements about the ledger, and fails none', async () => {
  const report = await certifyServer(await partner({ mistake: 'slow' }), {
    only: ['deduction', 'status'],
    timeout_ms: 300,
  });
  expect(failedIds(report)).toEqual([]);
  expect(notPassed(report)).toMatchObject({ 'DED-01': 'blocked', 'DED-08': 'blocked', 'STA-01': 'blocked' });
});

it('OP-181: a used redeemCode with other values is refused, and the report says so for a server that accepts it', async () => {
  const only = ['DED-06'];
  expect(words(await certifyServer(await partner(), { only }))).toMatchObject({ 'DED-06': 'pass' });
  const { failures } = await certifyServer(await partner({ mistake: 'deduct-other-values' }), { only });
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
