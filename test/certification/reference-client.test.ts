/** The suite against the reference client, which is right. */
import { expect, it } from 'vitest';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { certified } from './run.ts';

it('the reference client holds every requirement that is judged, and its books are even', async () => {
  const { origin, credentials } = await testSandbox();
  const input = {
    client_url: `${origin}/client`,
    service_token: credentials.service_token,
    customers: ['CUST0001'],
  };
  const report = await certified(input, { startPlatform: journeyPlatform() });
  expect(report.failures).toEqual([]);
  expect(report.counts).toMatchObject({ fail: 0, blocked: 0, suite_error: 0 });
  expect(report.counts.pass).toBeGreaterThan(3);
  expect(report.books).toBe('even');
});
