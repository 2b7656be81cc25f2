/**
 * Tests complete journeys through the sandbox's platform. A correct server passes them, and a faulty one fails those
 * that its mistake affects.
 */
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { closesWithTest } from '../harness/http-server.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { certifyServer, idsWithVerdict, partner } from './judged.ts';

const only = ['journeys'];
const all = Array.from({ length: 14 }, (_, index) => `JRN-${String(index + 1).padStart(2, '0')}`);

it('the reference client passes every journey of version 1.0 as the client of another sandbox', async () => {
  const { urls, credentials } = await testSandbox();
  const own = { client_url: urls.client, service_token: credentials.service_token };
  const report = await certifyServer(await partner(), { ...own, api: 'v1', only, skip: ['JRN-11'] });
  expect(report.failures).toEqual([]);
  expect(idsWithVerdict(report, 'pass')).toEqual([...all.slice(0, 10), 'JRN-14']);
  expect(report.balances).toBe('restored');
});

it('the run calls a server of another project with the code of that project', async () => {
  const server = await partner({ projectCode: 'ACME07' });
  const report = await certifyServer(server, { only: ['JRN-02'], project_code: 'ACME07' });
  expect(report.failures).toEqual([]);
  expect(idsWithVerdict(report, 'pass')).toEqual(['JRN-02']);
});

it('calls of the platform count as calls of the run and of the requirement', async () => {
  const server = await partner();
  const without = await certifyServer(server, { only: ['CRD-01'], customers: ['CUST0001'] });
  const journey = await certifyServer(server, { only: ['JRN-02'], customers: ['CUST0001'] });
  expect(without.calls).toBeGreaterThan(4);
  // The run begins with one call and the journey reads two balances. Its platform requests the profile, deducts points, reports
  // a rejection and reads the balance. Two calls restore the balances after the requirement, and two at the end.
  expect(journey.calls).toBe(1 + 2 + 4 + 2 + 2);
});

it('a platform that cannot start is an error of the suite, and the run still ends', async () => {
  const startPlatform = () => Promise.reject(new Error('no place for a platform'));
  const report = await certifyServer(await partner(), { only: ['JRN-01', 'CRD-01'] }, { startPlatform });
  expect(idsWithVerdict(report, 'suite_error')).toEqual(['JRN-01']);
  expect(idsWithVerdict(report, 'pass')).toEqual(['CRD-01']);
  expect(report.outcome).toBe('suite_error');
});

it.each([
  ['balance-null', 'JRN-01', 'SHP-01'],
  ['balance-text', 'JRN-01', 'SHP-01'],
  ['balance-text', 'JRN-11', 'SHP-01'],
  ['pending-capitalised', 'JRN-01', 'DED-01'],
  ['v2-no-customer-id', 'JRN-12', 'V2-01'],
  ['otp-no-token', 'JRN-11', 'OTP-01'],
  ['success-text', 'JRN-01', 'SHP-06'],
  ['status-text', 'JRN-02', 'SHP-07'],
  ['status-text', 'JRN-04', 'SHP-07'],
  ['kept-connection-dies', 'JRN-02', 'ROB-11'],
  ['slow', 'JRN-01', 'ROB-01'],
] as const)('a server with the mistake %s blocks %s by %s, a prerequisite of the journey', async (mistake, id, by) => {
  const timeout_ms = mistake === 'slow' ? 1000 : 10_000;
  const report = await certifyServer(await partner({ mistake }), { only: [id], timeout_ms });
  const journey = report.verdicts.find((verdict) => verdict.id === id);
  expect(journey).toMatchObject({ verdict: 'blocked', blocked_by: by });
});

it('every fault of the control API affects a call of some journey', async () => {
  const logs: string[] = [];
  const original = globalThis.fetch;
  const watched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    const response = await original(...call);
    if (new URL(response.url).pathname.endsWith('/activity')) logs.push(await response.clone().text());
    return response;
  });
  closesWithTest(async () => watched.mockRestore());
  await certifyServer(await partner(), { only });
  const appliedFaults = new Set(
    logs.flatMap((log) => [...log.matchAll(/"fault [^:"]+: (\w+)"/g)].map(([, name]) => name)),
  );
  const contract = new URL('../../openapi/sandbox/faults.yaml', import.meta.url);
  const { FaultName } = parse(readFileSync(contract, 'utf8')).schemas;
  expect([...appliedFaults].toSorted()).toEqual(FaultName.enum.toSorted());
});

it('a failed journey shows the calls of the platform, without secrets', async () => {
  const server = await partner({ mistake: 'no-reversal' });
  const { failures } = await certifyServer(server, { only: ['JRN-02'] });
  expect(failures).toMatchObject([
    {
      requirement: 'JRN-02',
      message: 'After a rejected order with a fee of 49 points, the balance changed by -89 instead of 0 points.',
      pointer: '/balance',
      again: '--only JRN-02',
    },
  ]);
  const requests = failures[0]?.exchanges.map(({ url, request_body }) => [url.slice(server.url.length), request_body]);
  expect(requests?.map(([path]) => path)).toEqual([
    '/getProfileAndPoints?uid=CUST0001',
    '/saveRedeemDetails',
    '/updateRedeemStatus',
  ]);
  expect(requests?.[2]?.[1]).toContain('"status":"Rejected"');
  expect(JSON.stringify(failures)).not.toContain(server.settings.serviceToken);
});

it('OP-181: a used redeemCode with other values is refused, and the report says so for a server that accepts it', async () => {
  const { failures } = await certifyServer(await partner({ mistake: 'deduct-other-values' }), { only: ['DED-06'] });
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
