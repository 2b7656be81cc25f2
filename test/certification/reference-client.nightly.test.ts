/** The suite against the reference client, which is correct. */
import { expect, it } from 'vitest';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { runCertification, words } from './run.ts';

it('the reference client meets every checked requirement, and its ledger is even', async () => {
  const { origin, credentials } = await testSandbox();
  const input = {
    client_url: `${origin}/client`,
    service_token: credentials.service_token,
    customers: ['CUST0001'],
  };
  const report = await runCertification(input, { startPlatform: journeyPlatform() });
  expect(report.failures).toEqual([]);
  const left = new Set(report.verdicts.filter(({ verdict }) => verdict !== 'pass').map(({ verdict }) => verdict));
  expect([...left].toSorted()).toEqual(['not_applicable', 'not_selected']);
  expect(words(report)).toMatchObject({ 'CRD-01': 'pass', 'ROB-01': 'pass', 'V2-01': 'pass' });
  expect(report.balances).toBe('restored');
});
