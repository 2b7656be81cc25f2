/** Tests the reports and the restored balances of interrupted runs and of runs against faulty servers. */
import { expect, it } from 'vitest';
import type { Platform } from '../../sandbox/certification/run-connections.ts';
import type { Input, Report } from '../../sandbox/certification/verdict.ts';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { closesWithTest } from '../harness/http-server.ts';
import type { PartnerServer } from '../harness/partner/server.ts';
import { certifyServer, failedIds, idsOf, idsWithVerdict, partner, relayed } from './judged.ts';

function expectRestored({ balances }: Report, { pointsOf }: PartnerServer): void {
  expect(balances).toBe('restored');
  expect(['CUST0001', 'CUST0002'].map((uid) => pointsOf(uid).balance)).toEqual([25_000, 25_000]);
}

/**
 * Certifies a server, and stops the run when it makes the nth call to a path. That call is never answered. `after` says whether
 * it reaches the server.
 */
async function interruptedAt(
  server: PartnerServer,
  { path, nth = 1, after }: { readonly path: string; readonly nth?: number; readonly after: boolean },
  only: NonNullable<Input['only']>,
): Promise<Report> {
  const ending = new AbortController();
  let count = 0;
  const stalling = await relayed(server, async (called, forward) => {
    if (called !== path || ++count !== nth) return forward();
    if (after) await forward();
    ending.abort();
    return undefined;
  });
  return certifyServer(stalling, { only }, { signal: ending.signal });
}

it('an interruption between requirements: the checked ones are reported, the rest is not, and the ledger is even', async () => {
  const server = await partner();
  const ending = new AbortController();
  const progress = (_: unknown, { done }: { done: number }) => done === 2 && ending.abort();
  const report = await certifyServer(server, { only: ['credit'] }, { signal: ending.signal, progress });
  expect([report.outcome, report.problem]).toEqual(['interrupted', 'The run was stopped.']);
  expect(idsWithVerdict(report, 'pass')).toHaveLength(2);
  expect(report.verdicts.filter(({ reason }) => reason === 'The run ended before this requirement.')).toHaveLength(
    idsOf('credit').length - 2,
  );
  expectRestored(report, server);
});

it.each([
  ['a credit hangs before it is booked', 'CRD-01', { path: '/creditPoints', after: false }],
  ['a booked credit hangs', 'CRD-01', { path: '/creditPoints', after: true }],
  ['a booked deduction of a journey hangs', 'JRN-02', { path: '/saveRedeemDetails', after: true }],
  ['an unbooked deduction of a journey hangs', 'JRN-02', { path: '/saveRedeemDetails', after: false }],
  ['the report of the rejection hangs', 'JRN-02', { path: '/updateRedeemStatus', after: false }],
  ['the reply to an accepted rejection hangs', 'JRN-02', { path: '/updateRedeemStatus', after: true }],
  ['a redemption of a journey is pending', 'JRN-05', { path: '/getProfileAndPoints', nth: 5, after: true }],
])('an interruption while %s: nothing is judged, and the ledger is even', async (_, id, at) => {
  const server = await partner();
  const report = await interruptedAt(server, at, [id]);
  expect(report.outcome).toBe('interrupted');
  expect(idsWithVerdict(report, 'not_selected')).toContain(id);
  expectRestored(report, server);
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
  expect([report.outcome, ...idsWithVerdict(report, 'pass')]).toEqual(['partial', 'JRN-01']);
  expectRestored(report, server);
});

it.each(['no-reversal', 'deduct-twice', 'credit-twice', 'reversal-twice', 'delivered-deducts'] as const)(
  'the ledger of a server with the mistake %s is even after its failed requirements',
  async (mistake) => {
    const server = await partner({ mistake });
    const report = await certifyServer(server, { only: ['credit', 'journeys'] });
    expect(failedIds(report)).not.toEqual([]);
    expectRestored(report, server);
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
