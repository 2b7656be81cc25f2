/** The requirements about version 2.0, against correct servers and servers with one mistake. */
import { expect, it } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';
import { certifyServer, partner } from './judged.ts';
import { runCertification, words } from './run.ts';

const only = ['v2'];

it.each(['v2', 'both'] as const)('the correct server passes with the API %s, and its ledger is even', async (api) => {
  const server = await partner();
  const report = await certifyServer(server, { only, api });
  expect(report.failures).toEqual([]);
  const judgedWords = Object.entries(words(report)).filter(([id]) => id.startsWith('V2-'));
  const others = judgedWords.filter(([, word]) => word !== 'pass');
  expect(others).toEqual(api === 'v2' ? [['V2-16', 'not_applicable']] : []);
  expect(judgedWords).toHaveLength(21);
  expect(report.balances).toBe('restored');
  expect(server.pointsOf('CUST0001').balance).toBe(25_000);
});

it('the reference client passes', async () => {
  const { origin, credentials } = await testSandbox();
  const { service_token } = credentials;
  const input = { client_url: `${origin}/client`, service_token, customers: ['CUST0001'], api: 'both' as const, only };
  const report = await runCertification(input);
  expect(report.failures).toEqual([]);
  expect([report.outcome, report.balances]).toEqual(['partial', 'restored']);
});
