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
  });
  expect(report.failures).toEqual([]);
  // What it was not given or does not show is left out; nothing fails, is blocked or goes wrong.
  expect(new Set(Object.values(words(report)))).toEqual(new Set(['pass', 'not_selected', 'not_applicable']));
  expect(report.books).toBe('even');
});
