/** Tests that a default run checks as much as possible: it detects both versions and creates an expired token. */
import { expect, it } from 'vitest';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import type { Begun } from '../../sandbox/certification/run-plan.ts';
import type { PartnerServer } from '../harness/partner/server.ts';
import { certifyServer, failedIds, idsWithVerdict, partner, relayed } from './judged.ts';

/** Starts a proxy that exposes only selected paths of a server. */
function exposing(server: PartnerServer, has: (path: string) => boolean): Promise<PartnerServer> {
  return relayed(server, (path, forward) => (has(path) ? forward() : [404, '{"detail":"Not Found"}']));
}

const requirements = ['SHP-01', 'CRD-01', 'V2-01', 'V2-02', 'V2-16'];

it.each([
  ['both', () => true, []],
  ['v1', (path: string) => !path.startsWith('/api/v1/'), ['V2-01', 'V2-02', 'V2-16']],
  ['v2', (path: string) => path.startsWith('/api/v1/'), ['SHP-01', 'CRD-01', 'V2-16']],
] as const)('the run detects the versions of a server: %s', async (api, has, missing) => {
  const server = await exposing(await partner(), has);
  const begun: Begun[] = [];
  const report = await certifyServer(server, { only: requirements, api: undefined }, { begun: (of) => begun.push(of) });
  expect(report.target.api).toBe(api);
  expect(failedIds(report)).toEqual([]);
  expect(idsWithVerdict(report, 'not_applicable').filter((id) => requirements.includes(id))).toEqual(missing);
  const judged = api === 'v2' ? 3 : requirements.length - missing.length;
  const { length: of } = loadRequirements().list;
  expect(begun).toEqual([{ api, judged, of, calls: expect.any(Number), notes: [] }]);
  expect(report.calls).toBeLessThanOrEqual(begun[0]?.calls ?? 0);
});

it('a version that an option excludes is never reported as missing', async () => {
  const report = await certifyServer(await partner(), { only: requirements, api: 'v1' });
  const reasons = report.verdicts.filter(({ id }) => id === 'V2-01').map(({ reason }) => reason);
  expect(reasons).toEqual(['This run checks only the other version (--api v1).']);
});

it('a version whose points endpoint is broken is checked, not treated as missing', async () => {
  const server = await partner({ mistake: 'v2-points-missing' });
  const report = await certifyServer(server, { only: requirements, api: undefined });
  expect([report.target.api, failedIds(report)]).toEqual(['both', ['V2-01']]);
});

it('an address without either version leads to an environment error', async () => {
  const report = await certifyServer(await exposing(await partner(), () => false), { api: undefined });
  expect(report.outcome).toBe('environment');
  expect(report.problem).toMatch(/^http:\S+ does not implement the client API: \/getProfileAndPoints returned 404, /);
});

const expiring = ['TOK-07', 'TOK-14', 'TOK-28'];

it.each([
  [undefined, [], [61_000]],
  ['expired-token', expiring, [61_000, 14_000, 15_000, 15_000, 15_000]],
] as const)(
  'the run waits for a token to expire if tokens are valid for a minute: %s',
  async (mistake, ids, waited) => {
    let at = Date.UTC(2026, 0, 12);
    const waits: number[] = [];
    const server = await partner({ mistake, now: () => at, tokenSeconds: 60 });
    const delay = async (milliseconds: number) => {
      waits.push(milliseconds);
      at += milliseconds;
    };
    const input = { only: [...expiring, 'OTP-04'], expired_token: undefined };
    const report = await certifyServer(server, input, { delay, now: () => at });
    expect(failedIds(report)).toEqual(ids);
    expect(idsWithVerdict(report, 'pass')).toEqual(mistake === undefined ? input.only : ['OTP-04']);
    expect(waits).toEqual(waited);
  },
);

it('if tokens are valid for longer, the run is partial and names the option', async () => {
  const server = await partner({ tokenSeconds: 1800 });
  const report = await certifyServer(server, { only: expiring, expired_token: undefined });
  const unselected = {
    verdict: 'not_selected',
    reason:
      'It requires an expired token. Tokens of this server are valid for 1800 s, and the run waits at most 60 s for one to expire.',
    option: '--expired-token JWT',
  };
  const verdicts = report.verdicts.filter(({ id }) => expiring.includes(id));
  expect(verdicts).toMatchObject([unselected, unselected, unselected]);
});

it('the run renews a session that is about to end, so it can last longer than a token', async () => {
  let at = Date.UTC(2026, 0, 12);
  const server = await partner({ now: () => at, tokenSeconds: 60 });
  const readCode = async ({ reference_id }: { readonly reference_id: string }) => {
    at += 25_000;
    return server.codeOf(reference_id) ?? '';
  };
  const input = { only: ['TOK-09', 'TOK-16', 'TOK-24', 'OTP-04', 'OTP-05', 'OTP-09'] };
  const report = await certifyServer(server, input, { readCode, now: () => at });
  expect(failedIds(report)).toEqual([]);
  expect(idsWithVerdict(report, 'pass')).toEqual(input.only);
});
