/** The requirements about what a server bears, against servers that are right, or wrong in one way. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buildConnector } from 'undici';
import { expect, it } from 'vitest';
import { selfSigned } from '../../sandbox/server/certificate.ts';
import { closesWithTest } from '../harness/http-server.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { robustnessCaught } from './caught/robustness.ts';
import { failed, judged, partner } from './judged.ts';
import { certified, words } from './run.ts';
import type { MistakeName } from './server/mistakes.ts';

const only = ['robustness'];
const https = { 'ROB-19': 'not_applicable', 'ROB-20': 'not_applicable' };

it.each(['v1', 'v2', 'both'] as const)('the right server passes, with the API %s, and its books are even', async (api) => {
  const server = await partner();
  const report = await judged(server, { only, api });
  expect(report.failures).toEqual([]);
  const own = Object.entries(words(report)).filter(([id]) => id.startsWith('ROB-'));
  expect(own.filter(([, word]) => word !== 'pass')).toEqual(Object.entries(https));
  expect(own).toHaveLength(20);
  expect(report.books).toBe('even');
  expect(server.pointsOf('CUST0001').balance).toBe(25_000);
});

it('the reference client passes', async () => {
  const { origin, credentials } = await testSandbox();
  const { service_token } = credentials;
  const report = await certified({ client_url: `${origin}/client`, service_token, customers: ['CUST0001'], only });
  expect(report.failures).toEqual([]);
  expect(report.books).toBe('even');
});

it.each(Object.entries(robustnessCaught))('the mistake %s fails %j and nothing else', async (mistake, expected) => {
  const report = await judged(await partner({ mistake: mistake as MistakeName }), { only });
  expect(failed(report)).toEqual(expected);
  expect(report.counts.suite_error).toBe(0);
  expect(report.books).toBe('even');
});

it('what is not answered in time blocks all that asks for it, and fails the requirement about time alone', async () => {
  const report = await judged(await partner({ mistake: 'slow' }), { only: ['ROB-01', 'ROB-02', 'V2-02'] });
  const { 'ROB-01': time, 'ROB-02': fields, 'V2-02': deduction } = words(report);
  expect([time, fields, deduction]).toEqual(['fail', 'blocked', 'blocked']);
  expect(report.failures[0]?.exchanges[0]).toMatchObject({ status: null, problem: 'timeout: no answer in time' });
});
