/** A run that is interrupted, and runs of all kinds: what is reported, and that the server's books are as they were. */
import { expect, it } from 'vitest';
import type { Platform } from '../../sandbox/certification/probe-parts.ts';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { closesWithTest, serve } from '../harness/http-server.ts';
import type { PartnerServer } from '../harness/partner/server.ts';
import { failed, having, idsOf, judged, partner } from './judged.ts';

const opening = [25_000, 25_000];
const balances = ({ pointsOf }: PartnerServer) => ['CUST0001', 'CUST0002'].map((uid) => pointsOf(uid).balance);

/** A server in front of another that holds the nth call to a path back, for ever; `onHeld` is told of it. */
async function holding(
  server: PartnerServer,
  { path, nth, after }: { path: string; nth: number; after: boolean },
  onHeld: () => void,
): Promise<string> {
  let count = 0;
  return serve(async (request, body, response) => {
    const url = `${server.url}${request.url}`;
    const held = request.url?.startsWith(path) === true && ++count === nth;
    if (held && !after) return onHeld();
    const headers = Object.fromEntries(
      ['authorization', 'content-type'].flatMap((name) =>
        request.headers[name] ? [[name, String(request.headers[name])]] : [],
      ),
    );
    const reply = await fetch(url, { method: request.method ?? 'POST', headers, ...(body !== '' && { body }) });
    const text = await reply.text();
    if (held) return onHeld();
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
  });
}

it('an interruption between requirements: what was judged is reported, the rest is not, and the books are even', async () => {
  const server = await partner();
  const ending = new AbortController();
  const progress = (_: unknown, { done }: { done: number }) => done === 2 && ending.abort();
  const report = await judged(server, { only: ['credit'] }, { signal: ending.signal, progress });
  expect(report.outcome).toBe('interrupted');
  expect(report.problem).toBe('The run was stopped.');
  expect(having(report, 'pass')).toHaveLength(2);
  expect(report.verdicts.filter(({ reason }) => reason === 'The run ended before this requirement.')).toHaveLength(
    idsOf('credit').length - 2,
  );
  expect(report.books).toBe('even');
  expect(balances(server)).toEqual(opening);
});

it('an interruption before the first call: nothing is judged', async () => {
  const server = await partner();
  const report = await judged(server, { only: ['credit'] }, { signal: AbortSignal.abort() });
  expect(report.outcome).toBe('interrupted');
  expect(having(report, 'pass')).toEqual([]);
  expect(balances(server)).toEqual(opening);
});

it.each([false, true])('an interruption while a call hangs (booked before: %s): the books are even', async (after) => {
  const server = await partner();
  const ending = new AbortController();
  const client_url = await holding(server, { path: '/creditPoints', nth: 1, after }, () => ending.abort());
  const report = await judged(server, { only: ['CRD-01'], client_url }, { signal: ending.signal });
  expect(report.outcome).toBe('interrupted');
  expect(having(report, 'not_selected')).toContain('CRD-01');
  expect(report.books).toBe('even');
  expect(balances(server)).toEqual(opening);
});

it.each([
  ['the deduction hangs that is booked', '/saveRedeemDetails', true],
  ['the deduction hangs that is not booked', '/saveRedeemDetails', false],
  ['the report of the rejection hangs', '/updateRedeemStatus', false],
  ['the rejection was taken, and its reply hangs', '/updateRedeemStatus', true],
])('an interruption in a journey while %s: the books are even', async (_, path, after) => {
  const server = await partner();
  const ending = new AbortController();
  const client_url = await holding(server, { path, nth: 1, after }, () => ending.abort());
  const report = await judged(server, { only: ['JRN-02'], client_url }, { signal: ending.signal });
  expect(report.outcome).toBe('interrupted');
  expect(report.books).toBe('even');
  expect(balances(server)).toEqual(opening);
});

it('an interruption while a redemption of a journey is pending: it is given back', async () => {
  const server = await partner();
  const ending = new AbortController();
  const client_url = await holding(server, { path: '/getProfileAndPoints', nth: 5, after: true }, () => ending.abort());
  const report = await judged(server, { only: ['JRN-05'], client_url }, { signal: ending.signal });
  expect(report.outcome).toBe('interrupted');
  expect(report.books).toBe('even');
  expect(balances(server)).toEqual(opening);
});

it('an interruption while the books are put in order at the end: they are, and the verdicts stand', async () => {
  const server = await partner();
  const ending = new AbortController();
  const platforms: Platform[] = [];
  const startPlatform: ReturnType<typeof journeyPlatform> = async (settings) => {
    const platform = await journeyPlatform()(settings);
    platforms.push(platform);
    // The platform ends right before the books are put in order.
    return { ...platform, close: () => platform.close().then(() => ending.abort()) };
  };
  const report = await judged(server, { only: ['JRN-01'] }, { signal: ending.signal, startPlatform });
  expect(platforms).toHaveLength(1);
  expect(report.outcome).toBe('partial');
  expect(having(report, 'pass')).toEqual(['JRN-01']);
  expect(report.books).toBe('even');
  expect(balances(server)).toEqual(opening);
});

it.each(['no-reversal', 'deduct-twice', 'credit-twice', 'reversal-twice', 'delivered-deducts'] as const)(
  'the books of a server with the mistake %s are even after its failed requirements',
  async (mistake) => {
    const server = await partner({ mistake });
    const report = await judged(server, { only: ['credit', 'journeys'] });
    expect(failed(report)).not.toEqual([]);
    expect(report.books).toBe('even');
    expect(balances(server)).toEqual(opening);
  },
);

it('the platform of a run ends with it', async () => {
  let origin = '';
  const startPlatform: ReturnType<typeof journeyPlatform> = async (settings) => {
    const platform = await journeyPlatform()(settings);
    origin = platform.origin;
    closesWithTest(() => platform.close());
    return platform;
  };
  await judged(await partner(), { only: ['JRN-01'] }, { startPlatform });
  await expect(fetch(`${origin}/sandbox/v1/health`)).rejects.toThrow('fetch failed');
});
