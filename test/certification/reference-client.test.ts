/** The suite against the reference client, which is right. */
import { expect, it } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';
import { certified, words } from './run.ts';

it('the reference client holds every requirement that is judged, and its books are even', async () => {
  const { origin, credentials } = await testSandbox();
  const report = await certified({
    client_url: `${origin}/client`,
    service_token: credentials.service_token,
    customers: ['CUST0001'],
    only: ['credit'],
  });
  expect(report.failures).toEqual([]);
  expect(words(report)).toMatchObject({ 'CRD-01': 'pass', 'CRD-02': 'pass', 'CRD-03': 'pass', 'CRD-04': 'pass' });
  expect(report.books).toBe('even');
});
