/** Tests the reports and the restored balances of interrupted runs and of runs against faulty servers. */
import { expect, it } from 'vitest';
import type { Platform } from '../../sandbox/certification/run-connections.ts';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { closesWithTest, serve } from '../harness/http-server.ts';
import type { PartnerServer } from '../harness/partner/server.ts';
import { certifyServer, failedIds, idsOf, idsWithVerdict, partner } from './judged.ts';

const opening = [25_000, 25_000];
const balances = ({ pointsOf }: PartnerServer) => ['CUST0001', 'CUST0002'].map((uid) => pointsOf(uid).balance);

/** Starts a proxy in front of a server. The proxy never answers the nth call to a path, and calls `onStalled` for that call. */
async function stallingProxy(
  server: PartnerServer,
  { path, nth, after }: { path: string; nth: number; after: boolean },
  onStalled: () => void,
): Promise<string> {
  let count = 0;
  return serve(async (request, body, response) => {
    const url = `${server.url}${request.url}`;
    const isStalled = request.url?.startsWith(path) === true && ++count === nth;
    if (isStalled && !after) return onStalled();
    const headers = Object.fromEntries(
      ['authorization', 'content-type'].flatMap((name) =>
        request.headers[name] ? [[name, String(request.headers[name])]] : [],
      ),
    );
    const reply = await fetch(url, { method: request.method ?? 'POST', headers, ...(body !== '' && { body }) });
    const text = await reply.text();
    if (isStalled) return onStalled();
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
  });
}

it('an interruption between requirements: the checked ones are reported, the rest is not, and the ledger is even', async () => {
  const server = await partner();
  const ending = new AbortController();
  const progress = (_: unknown, { done }: { done: number }) => done === 2 && ending.abort();
  const report = await certifyServer(server, { only: ['credit'] }, { signal: ending.signal, progress });
  expect(report.outcome).toBe('interrupted');
  expect(report.problem).toBe('The run was stopped.');
  expect(idsWithVerdict(report, 'pass')).toHaveLength(2);
  expect(report.verdicts.filter(({ reason }) => reason === 'The run ended before this requirement.')).toHaveLength(
    idsOf('credit').length - 2,
  );
  expect(report.balances).toBe('restored');
  expect(balances(server)).toEqual(opening);
});

it('an interruption before the first call: nothing is checked', async () => {
  const server = await partner();
  const report = await certifyServer(server, { only: ['credit'] }, { signal: AbortSignal.abort() });
  expect(report.outcome).toBe('interrupted');
  expect(idsWithVerdict(report, 'pass')).toEqual([]);
  expect(balances(server)).toEqual(opening);
});

it.each([false, true])('an interruption while a call hangs (booked before: %s): the ledger is even', async (after) => {
  const server = await partner();
  const ending = new AbortController();
  const client_url = await stallingProxy(server, { path: '/creditPoints', nth: 1, after }, () => ending.abort());
  const report = await certifyServer(server, { only: ['CRD-01'], client_url }, { signal: ending.signal });
  expect(report.outcome).toBe('interrupted');
  expect(idsWithVerdict(report, 'not_selected')).toContain('CRD-01');
  expect(report.balances).toBe('restored');
  expect(balances(server)).toEqual(opening);
});

it.each([
  ['a booked deduction hangs', '/saveRedeemDetails', true],
  ['an unbooked deduction hangs', '/saveRedeemDetails', false],
  ['the report of the rejection hangs', '/updateRedeemStatus', false],
  ['the reply to an accepted rejection hangs', '/updateRedeemStatus', true],
])('an interruption in a journey while %s: the ledger is even', async (_, path, after) => {
  const server = await partner();
  const ending = new AbortController();
  const client_url = await stallingProxy(server, { path, nth: 1, after }, () => ending.abort());
  const report = await certifyServer(server, { only: ['JRN-02'], client_url }, { signal: ending.signal });
  expect(report.outcome).toBe('interrupted');
  expect(report.balances).toBe('restored');
  expect(balances(server)).toEqual(opening);
});

it('an interruption while a redemption of a journey is pending: its points are refunded', async () => {
  const server = await partner();
  const ending = new AbortController();
  const client_url = await stallingProxy(server, { path: '/getProfileAndPoints', nth: 5, after: true }, () =>
    ending.abort(),
  );
  const report = await certifyServer(server, { only: ['JRN-05'], client_url }, { signal: ending.signal });
  expect(report.outcome).toBe('interrupted');
  expect(report.balances).toBe('restored');
  expect(balances(server)).toEqual(opening);
});

it('an interruption while the run restores balances at the end: it restores them, and the verdicts stay', async () => {
  const server = await partner();
  const ending = new AbortController();
  const platforms: Platform[] = [];
  const startPlatform: ReturnType<typeof journeyPlatform> = async (settings) => {
    const platform = await journeyPlatform()(settings);
    platforms.push(platform);
    // Stop the run after it closes the platform, right before it restores the balances.
    return { ...platform, close: () => platform.close().then(() => ending.abort()) };
  };
  const report = await certifyServer(server, { only: ['JRN-01'] }, { signal: ending.signal, startPlatform });
  expect(platforms).toHaveLength(1);
  expect(report.outcome).toBe('partial');
  expect(idsWithVerdict(report, 'pass')).toEqual(['JRN-01']);
  expect(report.balances).toBe('restored');
  expect(balances(server)).toEqual(opening);
});

it.each(['no-reversal', 'deduct-twice', 'credit-twice', 'reversal-twice', 'delivered-deducts'] as const)(
  'the ledger of a server with the mistake %s is even after its failed requirements',
  async (mistake) => {
    const server = await partner({ mistake });
    const report = await certifyServer(server, { only: ['credit', 'journeys'] });
    expect(failedIds(report)).not.toEqual([]);
    expect(report.balances).toBe('restored');
    expect(balances(server)).toEqual(opening);
  },
);

it('the platform of a run ends with the run', async () => {
  let origin = '';
  const startPlatform: ReturnType<typeof journeyPlatform> = async (settings) => {
    const platform = await journeyPlatform()(settings);
    origin = platform.origin;
    closesWithTest(() => platform.close());
    return platform;
  };
  await certifyServer(await partner(), { only: ['JRN-01'] }, { startPlatform });
  await expect(fetch(`${origin}/sandbox/v1/health`)).rejects.toThrow('fetch failed');
});
